import { stem } from './stem.ts'

/**
 * Words that people and tools use for the same thing, one group per line. Kept small: each line is
 * backed by queries that use one of its words for a tool that uses another.
 */
const GROUPS = `
  create add new make generate
  delete remove erase drop
  update edit modify change
  list show display view browse
  get fetch retrieve read
  find search lookup query locate
  send post deliver
  mail email
  repo repository
  bug issue ticket defect
  db database
  k8s kubernetes
  picture image photo
  movie film
  song track music
  hotel accommodation lodging
  restaurant dining eatery
  buy purchase order
  price cost fee
  stock share equity ticker
  weather forecast
  calculate compute
  document doc file
  folder directory
  meeting event appointment
  schedule book reserve
  website site webpage url
  summarize summarise summary
  job career employment vacancy
  news headline article
  car vehicle
  house home property
  route direction navigation
  password credential secret
  deploy release rollout
  error exception failure
  chart graph plot diagram
  refund reimburse
  customer client
  employee staff
  start launch run execute
  stop halt terminate kill
  copy duplicate clone
  verify validate check
  recipe meal
  trip travel vacation
  course class lesson
  quiz exam
  paper research academic
  memory remember recall memorize
`

const table = new Map<string, readonly string[]>()
for (const line of GROUPS.trim().split('\n')) {
  const words = line.trim().split(' ').map(stem)
  for (const word of words) {
    const others = words.filter((other) => other !== word)
    table.set(word, [...(table.get(word) ?? []), ...others])
  }
}

/** The stems of the synonyms of a stemmed word. */
export function synonymsOf(word: string): readonly string[] {
  return table.get(word) ?? []
}
