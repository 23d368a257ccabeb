import { quote, READ, range, read, type Task } from './task.ts'
import { CITIES } from './task-files.ts'

/** Tasks that one call solves. Two of them have a large result. */
export const ONE_CALL: readonly Task[] = [
  {
    name: 'One value from a small file',
    query: 'read a text file',
    needs: [READ],
    answer: '4.7.1',
    async direct(turn, path) {
      const [text] = await turn(read(READ, { path: path('package.json') }))
      return JSON.parse(text!).version
    },
    script: (path) =>
      `const { content } = await tools.${READ}({ path: ${quote(path('package.json'))} })\nreturn JSON.parse(content).version`,
  },
  {
    name: 'One small calculation',
    query: 'add two numbers',
    needs: ['everything__get-sum'],
    answer: 'The sum of 1234 and 5678 is 6912.',
    async direct(turn) {
      const [text] = await turn(read('everything__get-sum', { a: 1234, b: 5678 }))
      return text
    },
    script: () => 'return await tools.everything__get_sum({ a: 1234, b: 5678 })',
  },
  {
    name: 'One fact from a graph',
    query: 'read the knowledge graph',
    needs: ['memory__read_graph'],
    answer: ['Person 1', 'Person 5', 'Person 9'],
    async direct(turn) {
      const [text] = await turn(read('memory__read_graph', {}))
      return livingInLyon(JSON.parse(text!).entities)
    },
    script: () => `const { entities } = await tools.memory__read_graph()
return entities.filter(({ observations }) => observations.includes('Lives in Lyon')).map(({ name }) => name)`,
  },
  {
    name: 'Count lines of a log',
    query: 'read a text file',
    needs: [READ],
    answer: 85,
    async direct(turn, path) {
      const [text] = await turn(read(READ, { path: path('server.log') }))
      return text!.split('\n').filter((line) => line.includes(' ERROR ')).length
    },
    script: (path) =>
      `const { content } = await tools.${READ}({ path: ${quote(path('server.log'))} })\nreturn content.split('\\n').filter((line) => line.includes(' ERROR ')).length`,
  },
  {
    name: 'Total by group of a table',
    query: 'read a text file',
    needs: [READ],
    answer: totals(),
    async direct(turn, path) {
      const [text] = await turn(read(READ, { path: path('orders.csv') }))
      return sumByCity(text!)
    },
    script: (path) =>
      `const { content } = await tools.${READ}({ path: ${quote(path('orders.csv'))} })
const totals: Record<string, number> = {}
for (const line of content.trim().split('\\n').slice(1)) {
  const [, city, amount] = line.split(',')
  totals[city] = (totals[city] ?? 0) + Number(amount)
}
return totals`,
  },
]

function livingInLyon(entities: readonly { name: string; observations: string[] }[]): string[] {
  return entities
    .filter(({ observations }) => observations.includes('Lives in Lyon'))
    .map(({ name }) => name)
}

function sumByCity(csv: string): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const line of csv.trim().split('\n').slice(1)) {
    const [, city, amount] = line.split(',')
    sums[city!] = (sums[city!] ?? 0) + Number(amount)
  }
  return sums
}

/** Computed from the rule by which the file was made, not from the file. */
function totals(): Record<string, number> {
  const amounts = range(200).map((at) => ({ city: CITIES[at % 4]!, amount: (at * 13) % 97 }))
  const of = (city: string) => amounts.filter((each) => each.city === city)
  return Object.fromEntries(
    CITIES.map((city) => [city, of(city).reduce((sum, { amount }) => sum + amount, 0)]),
  )
}
