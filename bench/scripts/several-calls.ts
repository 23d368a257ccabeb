import { join } from 'node:path'
import type { Conversation, MetaCall } from './conversation.ts'
import { CITIES } from './task-files.ts'

/** A task with a known answer, and two ways to solve it. */
export interface Task {
  readonly name: string
  /** What the model searches for first, either way. */
  readonly query: string
  /** Tools that the search has to find. */
  readonly needs: readonly string[]
  readonly answer: unknown
  /** Direct calls. What a model would work out from the results, the plan computes. */
  direct(turn: Conversation['turn'], path: (name: string) => string): Promise<unknown>
  readonly effect?: 'write' | 'destructive'
  /** Must return the answer. */
  script(path: (name: string) => string): string
}

const read = (name: string, args: object): MetaCall => ({
  name: 'call_read_tool',
  arguments: { name, arguments: args },
})
const write = (name: string, args: object): MetaCall => ({
  name: 'call_write_tool',
  arguments: { name, arguments: args },
})
const destroy = (name: string, args: object): MetaCall => ({
  name: 'call_destructive_tool',
  arguments: { name, arguments: args },
})
const range = (count: number) => Array.from({ length: count }, (_, at) => at)
const quote = (text: string) => JSON.stringify(text)

export function pathIn(folder: string): (name: string) => string {
  return (name) => join(folder, name)
}

const READ = 'files__read_text_file'

export const TASKS: readonly Task[] = [
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
  {
    name: 'Find files by content',
    query: 'read several files at once; list a directory',
    needs: ['files__read_multiple_files'],
    answer: [2, 6, 10].map((at) => `note-${at}.md`),
    async direct(turn, path) {
      const paths = range(12).map((at) => path(`notes/note-${at}.md`))
      const [text] = await turn(read('files__read_multiple_files', { paths }))
      const parts = text!.split('\n---\n')
      return range(12)
        .filter((at) => parts[at]!.includes('Osaka'))
        .map((at) => `note-${at}.md`)
    },
    script: (path) => `const names = Array.from({ length: 12 }, (_, n) => \`note-\${n}.md\`)
const files = await Promise.all(names.map((name) => tools.${READ}({ path: ${quote(path('notes/'))} + name })))
return names.filter((_, at) => files[at].content.includes('Osaka'))`,
  },
  {
    name: 'Add up documents',
    query: 'read several files at once',
    needs: ['files__read_multiple_files'],
    answer: 310,
    async direct(turn, path) {
      const paths = range(12).map((at) => path(`invoices/${100 + at}.json`))
      const [text] = await turn(read('files__read_multiple_files', { paths }))
      const unpaid = text!.split('\n---\n').map((part) => JSON.parse(part.slice(part.indexOf('{'))))
      return unpaid.filter(({ isPaid }) => !isPaid).reduce((sum, { total }) => sum + total, 0)
    },
    script: (path) => `let sum = 0
for (let n = 100; n < 112; n++) {
  const { content } = await tools.${READ}({ path: \`${path('invoices/')}\${n}.json\` })
  const { isPaid, total } = JSON.parse(content)
  if (!isPaid) sum += total
}
return sum`,
  },
  {
    name: 'Follow references',
    query: 'read a text file',
    needs: [READ],
    answer: '7315',
    async direct(turn, path) {
      let text = ''
      for (const at of range(5)) {
        text = (await turn(read(READ, { path: path(`trail/${at}.txt`) })))[0]!
      }
      return /\d{4}/.exec(text)![0]
    },
    script: (path) => `let name = '0.txt'
for (;;) {
  const { content } = await tools.${READ}({ path: ${quote(path('trail/'))} + name })
  const next = /\\d\\.txt/.exec(content)
  if (!next) return /\\d{4}/.exec(content)[0]
  name = next[0]
}`,
  },
  {
    name: 'Change several files',
    query: 'edit a text file',
    needs: ['files__edit_file'],
    answer: 5,
    effect: 'destructive',
    async direct(turn, path) {
      const edits = [{ oldText: '"port": 8080', newText: '"port": 9090' }]
      const calls = range(5).map((at) => path(`services/service-${at}.json`))
      const texts = await turn(
        ...calls.map((each) => destroy('files__edit_file', { path: each, edits })),
      )
      return texts.filter((text) => text.includes('+  "port": 9090')).length
    },
    script: (path) => `let changed = 0
for (let n = 0; n < 5; n++) {
  const { content } = await tools.files__edit_file({
    path: \`${path('services/')}service-\${n}.json\`,
    edits: [{ oldText: '"port": 8080', newText: '"port": 9090' }],
  })
  if (content.includes('+  "port": 9090')) changed++
}
return changed`,
  },
  {
    name: 'Copy a table to another server',
    query: 'read a text file; create entities in a knowledge graph',
    needs: [READ, 'memory__create_entities'],
    answer: 10,
    effect: 'write',
    async direct(turn, path) {
      const [text] = await turn(read(READ, { path: path('people.csv') }))
      const entities = text!.trim().split('\n').slice(1).map(entity)
      const [created] = await turn(write('memory__create_entities', { entities }))
      return JSON.parse(created!).length
    },
    script: (
      path,
    ) => `const { content } = await tools.${READ}({ path: ${quote(path('people.csv'))} })
const entities = content.trim().split('\\n').slice(1).map((line) => {
  const [name, city] = line.split(',')
  return { name, entityType: 'person', observations: ['Lives in ' + city] }
})
return (await tools.memory__create_entities({ entities })).entities.length`,
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
]

function entity(line: string): object {
  const [name, city] = line.split(',')
  return { name, entityType: 'person', observations: [`Lives in ${city}`] }
}

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
