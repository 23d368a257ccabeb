/**
 * Subjects people ask about, one per line, following the classifications of libraries and
 * question-and-answer sites. Few tools cover them: if a query is closer to a topic than to any tool,
 * there is probably no tool for it.
 */
export const TOPICS: readonly string[] = `
  cooking recipe boil fry bake oven ingredients dish meal sauce
  baking bread dough flour cake pastry yeast
  meat fish vegetables soup salad spices kitchen
  wine beer coffee tea drink brewing cocktail
  nutrition diet vitamins calories weight loss healthy eating
  illness symptoms doctor treatment disease medicine fever pain
  drugs medication dose side effects pharmacy prescription
  mental health anxiety depression therapy psychology stress
  dentist teeth mouth gums eyes ears skin rash
  pregnancy birth baby infant breastfeeding toddler
  children parenting school teenager family upbringing
  injury surgery muscle bone joint physiotherapy
  fitness exercise workout running gym strength training
  yoga meditation breathing sleep relaxation
  dating love relationship marriage divorce partner
  friendship etiquette manners conflict apology feelings
  grief death funeral inheritance will estate
  law court lawsuit rights contract legal judge
  crime police prison theft murder trial
  tax deduction income allowance tax office
  investing shares stocks bonds pension retirement saving
  mortgage rent landlord tenant house buying
  economics inflation trade market unemployment
  politics government election parliament party vote
  war army weapon soldier battle military
  history ancient medieval empire king revolution century
  archaeology ruins tomb prehistoric artefact
  genealogy ancestors family tree birth records
  geography country river mountain capital continent
  geology rock mineral volcano earthquake fossil
  ocean sea tide wave coast island
  climate environment pollution sustainability ecology
  astronomy star planet moon galaxy telescope
  space rocket satellite astronaut orbit
  physics force energy quantum relativity particle
  chemistry reaction acid molecule element compound
  biology cell gene DNA protein organism evolution
  botany plant leaf flower tree species
  zoology animal mammal reptile bird species behaviour
  insects bees butterflies spiders ants beekeeping
  birds nest song feathers migration
  fish aquarium pond tank
  dogs puppy leash training breed barking
  cats kitten litter claws fur
  horses riding saddle stable hoof
  farm livestock cattle sheep crops harvest tractor
  gardening soil seeds planting lawn pruning fertilizer
  houseplants pot watering leaves repotting
  mushrooms berries foraging wild edible
  hunting fishing camping hiking wilderness survival
  mathematics equation proof theorem algebra integral
  geometry triangle circle angle area
  statistics probability distribution hypothesis
  logic puzzle riddle sudoku brain teaser
  philosophy ethics meaning truth existence
  religion god prayer church bible faith
  islam judaism buddhism hinduism scripture ritual
  mythology gods legend hero folklore
  astrology horoscope zodiac tarot dream fortune
  superstition ghost paranormal conspiracy magic
  language grammar word origin pronunciation etymology
  learning a foreign language vocabulary conjugation
  linguistics phonetics dialect syntax
  literature novel author character chapter plot
  poetry poem verse rhyme metre sonnet
  creative writing story fiction screenplay
  theatre play stage actor opera ballet
  film movie director scene actor cinema
  television series episode season show
  comics anime manga cartoon superhero
  music theory chord scale melody harmony
  playing the guitar piano violin drum tuning an instrument
  singing choir voice song lyrics
  painting drawing sculpture artist canvas museum
  photography camera lens exposure shutter
  dance steps choreography ballroom
  fashion clothes dress style outfit shoes
  hair makeup cosmetics beauty nails perfume
  jewellery watch gold silver gem
  coins stamps antiques collecting auction value
  knitting crochet yarn sewing fabric needle pattern
  paper folding craft glue scissors beads
  pottery ceramics clay kiln glass
  woodworking saw plane wood joint carpentry furniture
  metalworking welding forging steel knife sharpening
  house repair wall plaster paint brick mortar roof
  plumbing pipe leak tap drain toilet boiler
  electricity wiring voltage fuse socket battery
  heating insulation stove chimney
  cleaning stain laundry mould dust household tips
  pests mice rats cockroaches ants moths
  car engine brake gearbox repair mechanic
  motorcycle bicycle chain tyre wheel gear
  driving licence traffic rules parking fine
  aviation aeroplane pilot runway wing
  ships boat sailing anchor knot navigation
  railways locomotive track
  electronics circuit resistor transistor soldering
  radio antenna frequency signal
  3D printing filament nozzle model
  engineering bridge load structure mechanical
  materials plastic metal alloy strength
  chess opening endgame castling pawn
  card games poker bridge bluff
  board games dice pieces rules strategy
  role playing dungeon dragon character monster campaign
  video game level boss build weapon quest
  gambling lottery casino betting odds jackpot
  football match league goal team player
  tennis golf cricket baseball basketball hockey
  swimming skiing climbing surfing diving
  boxing wrestling martial arts karate
  olympics record champion medal athlete
  famous people celebrity biography born
  royalty nobility heraldry flags
  quotes proverb saying joke humour
  holidays christmas easter wedding birthday party tradition
  customs culture festival national costume
  education university degree thesis exam studying
  teaching classroom pupils lesson homework
  career salary interview job advice workplace
  business idea startup founding company
  insurance claim policy liability
  immigration visa citizenship asylum passport
  consumer rights warranty return complaint
  building architecture cathedral castle style
  interior design furniture colours room decoration
  toys lego dolls model railway
  first aid poisoning burn emergency
  allergies asthma pollen intolerance
  heart blood pressure cholesterol diabetes
  cancer tumour chemotherapy
  virus bacteria vaccine infection immune
  anatomy organ brain nerve muscle
  ageing elderly care dementia
  smoking alcohol addiction
  sexuality contraception puberty
  sociology society gender class inequality
  anthropology tribe ritual kinship
  journalism press media propaganda
  invention inventor discovery scientist
  dinosaurs extinct fossils ice age
  weather lore seasons sunrise equinox
  measurement units kilogram metre conversion
  time zones calendars eras leap year
`
  .trim()
  .split(/\n\s*/)
