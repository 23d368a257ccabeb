import type { Pair } from './read-sources.ts'

/** The start of a request. A verb follows. */
const OPENERS = [
  'can you',
  'could you please',
  'I need to',
  'I want to',
  'please',
  'help me',
  'how do I',
  'is there a way to',
  "I'd like to",
  'can I',
  'what is the best way to',
  'hey, could you',
  'I have to',
  'show me how to',
  'we should',
  '',
]

/**
 * Everyday topics with their verbs and objects, written by hand. Each entry phrases similar requests in
 * several ways, so that the table learns which words belong together.
 */
const EVERYDAY: readonly (readonly [topic: string, verbs: string, objects: string])[] = [
  [
    'travel',
    'book|find|compare|cancel|change|look up|reserve',
    'a flight to {place}|cheap plane tickets|a hotel room in {place}|a place to stay {time}|a rental car|train tickets to {place}|an airport transfer|my trip itinerary|holiday packages|vacation rentals near the beach|a seat upgrade',
  ],
  [
    'weather',
    'check|tell me|get|look up|show',
    'the weather in {place}|the forecast for {time}|whether it will rain {time}|the temperature outside|the chance of snow|how windy it is|air quality in {place}|sunrise and sunset times|whether I need an umbrella {time}',
  ],
  [
    'food',
    'find|recommend|cook|order|suggest|plan',
    'a recipe with {food}|dinner ideas|a restaurant in {place}|something to eat nearby|a vegetarian meal|{food} delivery|what to cook with {food}|a meal plan for the week|wine that goes with {food}|calories in {food}|a table for two {time}|groceries for {time}',
  ],
  [
    'money',
    'check|track|split|send|transfer|pay|exchange|compute|convert',
    'my bank balance|money to my friend|my expenses|an invoice|a bill|my budget|{number} dollars into euros|the exchange rate|my credit score|a loan repayment|interest on my savings|taxes I owe|my spending this month',
  ],
  [
    'refunds',
    'give|issue|return|send|process|reverse',
    'the customer their money back|a refund for the order|the payment back to the buyer|a charge that was wrong|money for a damaged item|a reimbursement|a partial refund|the purchase price',
  ],
  [
    'investing',
    'get|analyse|track|compare|predict|follow',
    'the stock price of a company|how the market is doing|my portfolio|crypto prices|the price of bitcoin|quarterly earnings|dividends|financial statements|stock news|an exchange traded fund|annual reports of public companies',
  ],
  [
    'shopping',
    'find|buy|compare|order|search for|recommend|track',
    'a gift for my {person}|running shoes|a cheap laptop|the best deal on headphones|discount codes|product reviews|a new phone|clothes for {time}|my parcel|an item in stock|coupons|second-hand furniture|similar products',
  ],
  [
    'music',
    'play|find|recommend|create|identify|download',
    'some relaxing songs|a playlist for running|the lyrics of this song|music like my favourite band|concert tickets in {place}|new albums|the chords of a tune|a podcast about {subject}|radio stations|sheet music',
  ],
  [
    'films',
    'recommend|find|watch|look up|stream',
    'a movie for {time}|a comedy series|something to watch with my {person}|showtimes in {place}|the cast of a film|reviews of a show|anime like my favourite|trailers|where to stream a film',
  ],
  [
    'news',
    'read|show|summarise|find|get',
    'the latest news about {subject}|headlines of {time}|what happened in {place}|recent articles on {subject}|breaking news|press coverage|opinion pieces',
  ],
  [
    'learning',
    'learn|teach me|explain|practise|study|understand',
    '{subject}|a new language|how {subject} works|vocabulary in Spanish|maths homework|an online course on {subject}|grammar mistakes|flash cards|exam questions|tutoring|university programmes',
  ],
  [
    'research',
    'find|search|read|cite|summarise|look for',
    'scientific papers on {subject}|academic articles|citations|clinical studies|literature on {subject}|patents|a preprint|research about {subject}|references for my thesis|facts about {subject}',
  ],
  [
    'documents',
    'read|summarise|ask questions about|extract text from|convert|merge|sign|translate',
    'a PDF|this document|a long report|a contract|a scanned page|a spreadsheet|slides|an e-book|a word file|meeting minutes|a form',
  ],
  [
    'writing',
    'write|draft|improve|proofread|rephrase|shorten',
    'an email to my boss|a cover letter|my essay|a blog post about {subject}|a poem|a speech|a product description|marketing copy|a resume|a story for children|a social media post|a press release',
  ],
  [
    'translation',
    'translate|say|convert|render',
    'this sentence into French|a text from Japanese to English|how to say hello in Italian|subtitles|a web page into German|a menu',
  ],
  [
    'calendar',
    'schedule|move|cancel|check|arrange|plan|book',
    'a meeting with my {person} {time}|an appointment at the dentist|when I am free {time}|my agenda for {time}|a call {time}|an event in my calendar|a birthday party|a time that suits everyone|a reminder',
  ],
  [
    'reminders',
    'remind me|set|make|remember|wake me',
    'to call my {person}|an alarm for {time}|a timer for {number} minutes|to water the plants|a to-do list|what I have to do {time}|tasks for {time}',
  ],
  [
    'mail',
    'send|read|reply to|search|forward|delete|archive',
    'an email to my {person}|unread messages|the last message from my {person}|spam|my inbox|an attachment|a newsletter|mail about {subject}',
  ],
  [
    'chat',
    'send|post|text|tell|notify|message',
    'a message to the team|my {person} that I am late|an announcement in the channel|a direct message|a text to my {person}|everyone in the group|an alert',
  ],
  [
    'social',
    'post|share|schedule|analyse|find',
    'a tweet|a picture on my profile|followers|trending hashtags|comments on my post|influencers|a status update|videos about {subject}|my page statistics',
  ],
  [
    'maps',
    'get|find|show|plan|calculate',
    'directions to {place}|the fastest route|how far it is to {place}|a map of {place}|nearby gas stations|parking near me|public transport to {place}|traffic on the way to work|the coordinates of {place}|hiking trails|what time zone {place} is in',
  ],
  [
    'health',
    'check|track|find|understand|manage|improve',
    'my symptoms|a doctor near me|my blood pressure|side effects of a medicine|how much I sleep|my heart rate|a therapist|my mental health|a diet|nutrition facts of {food}|medical records|drug interactions',
  ],
  [
    'fitness',
    'plan|log|suggest|create|track',
    'a workout|my run|exercises for my back|a training plan|yoga for beginners|steps I walked|weight loss|calories burned',
  ],
  [
    'home',
    'turn on|turn off|dim|set|lock|control|check',
    'the lights in the living room|the thermostat to {number} degrees|the heating|the front door|the security camera|the vacuum cleaner|smart devices|the washing machine',
  ],
  [
    'property',
    'find|rent|buy|sell|value|compare',
    'an apartment in {place}|a house with a garden|property prices|mortgage rates|a flat to rent|real estate listings|land',
  ],
  [
    'jobs',
    'find|apply for|search|post|screen',
    'a job in {place}|remote positions|internships|open vacancies|candidates for a role|salaries for engineers|my job applications|recruiters',
  ],
  [
    'images',
    'generate|draw|edit|resize|describe|find|crop',
    'a picture of {subject}|a logo for my company|the background of a photo|an illustration|what is in this image|stock photos|a profile picture|a meme|an animated gif|art in the style of a painter',
  ],
  [
    'video',
    'make|edit|summarise|transcribe|cut|find|upload',
    'a short video|subtitles for a clip|a video about {subject}|a recording|a YouTube video|a screen capture|a tutorial',
  ],
  [
    'speech',
    'transcribe|read aloud|record|convert',
    'an audio file|this text to speech|a voice memo|an interview|a lecture to text',
  ],
  [
    'code',
    'debug|run|explain|write|review|refactor|test|deploy',
    'this python script|a function|my code|a pull request|unit tests|a web app|an API|a bug in the program|a regular expression|a build that fails|a library|a shell command',
  ],
  [
    'issues',
    'open|close|assign|comment on|label|report|track',
    'a bug report|a ticket|an issue in the repository|a feature request|a support case|a task on the board|a problem a customer has',
  ],
  [
    'data',
    'query|analyse|plot|clean|export|import|join|visualise',
    'the database|a csv file|rows of a table|a chart of sales|a dashboard|records of customers|statistics|a data set about {subject}|a bar chart|duplicate entries|a diagram|a flow chart',
  ],
  [
    'files',
    'find|delete|rename|copy|move|upload|download|share|compress',
    'a file on my disk|a folder|old backups|an attachment|a picture in the cloud|the biggest files|a zip archive|documents with my {person}',
  ],
  [
    'servers',
    'start|stop|restart|scale|monitor|back up|create|list',
    'a virtual machine|the web server|a container|a cluster|log files|cpu usage|the storage account|a load balancer|a database instance|a network|a firewall rule|running processes|an outage',
  ],
  [
    'security',
    'rotate|revoke|grant|check|scan|reset|encrypt',
    'a password|an access key|permissions of a user|who can see this|vulnerabilities|a certificate|a secret|a suspicious login|a domain name|two-factor authentication',
  ],
  [
    'sales',
    'add|find|update|contact|qualify',
    'a new lead|a customer record|a deal in the pipeline|contact details of a company|a quote|an opportunity|email addresses of prospects|competitors|a business partner',
  ],
  [
    'orders',
    'cancel|ship|track|place|refund|check',
    'an order|a shipment|a subscription|the delivery date|stock levels|an invoice for a client|a return|a purchase|a payment method',
  ],
  [
    'maths',
    'solve|calculate|compute|convert|plot|simplify',
    'an equation|the square root of {number}|{number} percent of {number}|miles to kilometres|an integral|the average of these numbers|a derivative|a unit conversion|prime numbers|probabilities',
  ],
  [
    'games',
    'play|find|recommend|start|win',
    'a game of chess|a quiz about {subject}|puzzle games|a word game|trivia questions|role-playing characters|dice rolls|a crossword',
  ],
  [
    'sports',
    'get|check|follow|predict|look up',
    'the score of last night|league standings|who plays {time}|player statistics|match results|odds for the game|tickets for the match|my fantasy team',
  ],
  [
    'events',
    'find|attend|organise|promote|buy',
    'things to do in {place}|a festival {time}|tickets for an exhibition|a conference on {subject}|museums in {place}|a wedding|local activities for kids|tours in {place}',
  ],
  [
    'people',
    'find|look up|contact|meet',
    'the phone number of my {person}|an expert in {subject}|someone to date|a baby name|family history|a lawyer|a plumber|an electrician|biography of a scientist|friends',
  ],
  [
    'law',
    'understand|find|check|file|draft',
    'a law about {subject}|a legal contract|court cases|a trademark|a privacy policy|terms of service|a complaint|a visa application|regulations',
  ],
  [
    'cars',
    'find|rent|repair|compare|value|charge',
    'a used car|a mechanic|an electric car|a charging station|fuel prices|car insurance|tyres|a parking spot|a ride to {place}|a taxi',
  ],
  [
    'nature',
    'identify|find|learn about|protect|grow',
    'a plant|a bird|animals in {place}|my dog|stars tonight|planets|an earthquake|tides|tomatoes in the garden|carbon footprint',
  ],
  [
    'web',
    'open|scrape|search|summarise|check|read|build|host',
    'a website|a web page|the internet for {subject}|links on a page|a url|search results|a landing page|a domain|seo keywords|site traffic|a qr code|a short link|the source of a page',
  ],
  [
    'mind',
    'tell me|give me|explain|interpret|suggest',
    'a joke|my horoscope|my dream|advice about my {person}|a quote|a tarot reading|ideas for a party|a story|something inspiring|a meditation|a hobby',
  ],
]

const FILLERS: Readonly<Record<string, readonly string[]>> = {
  place: [
    'Paris',
    'New York',
    'Tokyo',
    'Berlin',
    'my city',
    'London',
    'India',
    'Texas',
    'Rome',
    'Sydney',
    'Brazil',
    'Seoul',
  ],
  time: [
    'tonight',
    'tomorrow',
    'this weekend',
    'next week',
    'on Friday',
    'today',
    'in the evening',
    'next month',
    'this summer',
    'at noon',
  ],
  food: [
    'chicken',
    'pasta',
    'pizza',
    'salmon',
    'rice',
    'sushi',
    'chocolate',
    'mushrooms',
    'eggs',
    'a burger',
    'salad',
    'coffee',
  ],
  person: [
    'mother',
    'friend',
    'boss',
    'colleague',
    'wife',
    'son',
    'client',
    'teacher',
    'doctor',
    'brother',
  ],
  number: ['5', '20', '100', '250', '18', '72', '1000'],
  subject: [
    'climate change',
    'artificial intelligence',
    'history',
    'physics',
    'space',
    'cooking',
    'politics',
    'biology',
    'football',
    'economics',
    'programming',
    'cancer',
    'travel',
    'photography',
    'cats',
    'psychology',
    'blockchain',
    'education',
    'gardening',
    'war',
  ],
}

const REASONS = [
  '',
  '',
  '',
  ' for my {person}',
  ' {time}',
  ' because I am busy',
  ' as soon as possible',
  ', thanks',
  ' in {place}',
  ' for a project about {subject}',
]

/** Generates up to `count` everyday requests. */
export function writeEverydayRequests(count: number, random: () => number): string[] {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, kind: string) => pick(FILLERS[kind]!))
  const requests = new Set<string>()
  for (let tries = 0; requests.size < count && tries < 4 * count; tries++) {
    const [topic, verbs, objects] = pick(EVERYDAY)
    const verb = pick(verbs.split('|'))
    const object = pick(objects.split('|'))
    const form = random()
    if (form < 0.08)
      requests.add(fill(`A tool for ${topic}: ${verb} ${object} or ${pick(objects.split('|'))}`))
    else if (form < 0.16)
      requests.add(
        fill(`${verb} ${object} and ${pick(verbs.split('|'))} ${pick(objects.split('|'))}`),
      )
    else requests.add(fill(`${pick(OPENERS)} ${verb} ${object}${pick(REASONS)}`).trim())
  }
  return [...requests]
}

/** Rephrases operations as requests: "Lists the domains" becomes "can I list my domains". */
export function writeOperationRequests(pairs: readonly Pair[], random: () => number): Pair[] {
  return pairs.flatMap(({ request, description }) => {
    const words = imperative(request)
    if (words === undefined) return []
    const opener = OPENERS[Math.floor(random() * OPENERS.length)]!
    const phrased = words.replace(/\b(the|a|an|specified|given)\b/gi, (word) =>
      random() < 0.3 ? 'my' : /specified|given/i.test(word) ? '' : word,
    )
    return [{ request: `${opener} ${phrased}`.replace(/\s+/g, ' ').trim(), description }]
  })
}

const VERB =
  /^(get|list|create|delete|update|add|remove|set|send|search|find|start|stop|cancel|retrieve|return|describe|modify|enable|disable|upload|download|run|execute|check|validate|register|assign|export|import|generate|move|copy|restore|revoke|grant|reset|show|fetch|read|write|publish|invite|approve|reject|close|open|attach|detach|associate|disassociate)(e?s)?\b/i

function imperative(summary: string): string | undefined {
  const first = /^[^.;:(]+/.exec(summary)?.[0]?.trim() ?? ''
  if (!VERB.test(first) || first.length > 110) return undefined
  return first.replace(VERB, (_, verb: string) => verb.toLowerCase())
}
