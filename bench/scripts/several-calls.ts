import { existsSync, readFileSync } from 'node:fs'
import { destroy, quote, READ, range, read, type Task, write } from './task.ts'

const LIST = 'files__list_directory'
const READ_MANY = 'files__read_multiple_files'
const EDIT = 'files__edit_file'
const WEATHER = 'everything__get-structured-content'

/** Tasks that need several calls, most of which depend on each other. */
export const SEVERAL_CALLS: readonly Task[] = [
  {
    name: 'Find files by content',
    query: 'read several files at once; list a directory',
    needs: [READ_MANY, LIST],
    answer: ['note-10.md', 'note-2.md', 'note-6.md'],
    async direct(turn, path) {
      const [listed] = await turn(read(LIST, { path: path('notes') }))
      const names = filesIn(listed!)
      const paths = names.map((name) => path(`notes/${name}`))
      const [text] = await turn(read(READ_MANY, { paths }))
      const parts = text!.split('\n---\n')
      return names.filter((_, at) => parts[at]!.includes('Osaka'))
    },
    script: (path) => `const { content } = await tools.${LIST}({ path: ${quote(path('notes'))} })
const names = content.split('\\n').map((line) => line.replace('[FILE] ', ''))
const files = await Promise.all(names.map((name) => tools.${READ}({ path: ${quote(path('notes/'))} + name })))
return names.filter((_, at) => files[at].content.includes('Osaka'))`,
  },
  {
    name: 'Add up documents',
    query: 'read several files at once; list a directory',
    needs: [READ_MANY, LIST],
    answer: 310,
    async direct(turn, path) {
      const [listed] = await turn(read(LIST, { path: path('invoices') }))
      const paths = filesIn(listed!).map((name) => path(`invoices/${name}`))
      const [text] = await turn(read(READ_MANY, { paths }))
      const unpaid = text!.split('\n---\n').map((part) => JSON.parse(part.slice(part.indexOf('{'))))
      return unpaid.filter(({ isPaid }) => !isPaid).reduce((sum, { total }) => sum + total, 0)
    },
    script: (path) => `const folder = ${quote(path('invoices'))}
const { content } = await tools.${LIST}({ path: folder })
let sum = 0
for (const line of content.split('\\n')) {
  const file = await tools.${READ}({ path: folder + '/' + line.replace('[FILE] ', '') })
  const { isPaid, total } = JSON.parse(file.content)
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
    needs: [EDIT],
    answer: 5,
    effect: 'destructive',
    async direct(turn, path) {
      const edits = [{ oldText: '"port": 8080', newText: '"port": 9090' }]
      const calls = range(5).map((at) => path(`services/service-${at}.json`))
      const texts = await turn(...calls.map((each) => destroy(EDIT, { path: each, edits })))
      return texts.filter((text) => text.includes('+  "port": 9090')).length
    },
    script: (path) => `let changed = 0
for (let n = 0; n < 5; n++) {
  const { content } = await tools.${EDIT}({
    path: \`${path('services/')}service-\${n}.json\`,
    edits: [{ oldText: '"port": 8080', newText: '"port": 9090' }],
  })
  if (content.includes('+  "port": 9090')) changed++
}
return changed`,
    isDone: (path) =>
      range(5).every((at) => textOf(path(`services/service-${at}.json`)).includes('9090')),
  },
  {
    name: 'Change a value and check it',
    query: 'edit a text file; read a text file',
    needs: [EDIT, READ],
    answer: '5.0.0',
    effect: 'destructive',
    async direct(turn, path) {
      const edits = [{ oldText: '"version": "1.9.0"', newText: '"version": "5.0.0"' }]
      await turn(destroy(EDIT, { path: path('release.json'), edits }))
      const [text] = await turn(read(READ, { path: path('release.json') }))
      return JSON.parse(text!).version
    },
    script: (path) => `const path = ${quote(path('release.json'))}
await tools.${EDIT}({ path, edits: [{ oldText: '"version": "1.9.0"', newText: '"version": "5.0.0"' }] })
return JSON.parse((await tools.${READ}({ path })).content).version`,
    isDone: (path) => textOf(path('release.json')).includes('"5.0.0"'),
  },
  {
    name: 'Write a summary of files',
    query: 'read several files at once; list a directory; write a text file',
    needs: [READ_MANY, LIST, 'files__write_file'],
    answer: 5,
    effect: 'destructive',
    async direct(turn, path) {
      const [listed] = await turn(read(LIST, { path: path('services') }))
      const paths = filesIn(listed!).map((name) => path(`services/${name}`))
      const [text] = await turn(read(READ_MANY, { paths }))
      const services = text!
        .split('\n---\n')
        .map((part) => JSON.parse(part.slice(part.indexOf('{'))))
      const content = services.map(({ name, port }) => `- ${name}: ${port}`).join('\n')
      await turn(destroy('files__write_file', { path: path('services.md'), content }))
      return services.length
    },
    script: (path) => `const folder = ${quote(path('services'))}
const names = (await tools.${LIST}({ path: folder })).content.split('\\n').map((line) => line.replace('[FILE] ', ''))
const files = await Promise.all(names.map((name) => tools.${READ}({ path: folder + '/' + name })))
const services = files.map(({ content }) => JSON.parse(content))
const content = services.map(({ name, port }) => \`- \${name}: \${port}\`).join('\\n')
await tools.files__write_file({ path: folder + '.md', content })
return services.length`,
    isDone: (path) =>
      textOf(path('services.md')) ===
      range(5)
        .map((at) => `- s${at}: 9090`)
        .join('\n'),
  },
  {
    name: 'Sort files into a folder',
    query: 'read several files at once; list a directory; create a directory; move a file',
    needs: [READ_MANY, LIST, 'files__create_directory', 'files__move_file'],
    answer: ['letter-0.txt', 'letter-3.txt', 'letter-6.txt'],
    effect: 'destructive',
    async direct(turn, path) {
      const [listed] = await turn(read(LIST, { path: path('inbox') }))
      const names = filesIn(listed!)
      const paths = names.map((name) => path(`inbox/${name}`))
      const [text] = await turn(read(READ_MANY, { paths }))
      const parts = text!.split('\n---\n')
      const urgent = names.filter((_, at) => parts[at]!.includes('Priority: high'))
      await turn(write('files__create_directory', { path: path('urgent') }))
      await turn(
        ...urgent.map((name) =>
          destroy('files__move_file', {
            source: path(`inbox/${name}`),
            destination: path(`urgent/${name}`),
          }),
        ),
      )
      return urgent
    },
    script: (path) => `const inbox = ${quote(path('inbox'))}, urgent = ${quote(path('urgent'))}
await tools.files__create_directory({ path: urgent })
const moved = []
for (const line of (await tools.${LIST}({ path: inbox })).content.split('\\n')) {
  const name = line.replace('[FILE] ', '')
  const { content } = await tools.${READ}({ path: inbox + '/' + name })
  if (!content.includes('Priority: high')) continue
  await tools.files__move_file({ source: inbox + '/' + name, destination: urgent + '/' + name })
  moved.push(name)
}
return moved`,
    isDone: (path) =>
      [0, 3, 6].every((at) => existsSync(path(`urgent/letter-${at}.txt`))) &&
      existsSync(path('inbox/letter-1.txt')),
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
    name: 'Connect people in a graph',
    query: 'read the knowledge graph; create relations in a knowledge graph',
    needs: ['memory__read_graph', 'memory__create_relations'],
    answer: 3,
    effect: 'write',
    async direct(turn) {
      const [text] = await turn(read('memory__read_graph', {}))
      const relations = neighbours(JSON.parse(text!).entities)
      const [created] = await turn(write('memory__create_relations', { relations }))
      return JSON.parse(created!).length
    },
    script: () => `const { entities } = await tools.memory__read_graph()
const names = entities.filter((each) => each.observations.includes('Lives in Lyon')).map((each) => each.name)
const relations = names.flatMap((from, at) => names.slice(at + 1).map((to) => ({ from, to, relationType: 'lives near' })))
return (await tools.memory__create_relations({ relations })).relations.length`,
  },
  {
    name: 'Compare three cities',
    query: 'get structured content',
    needs: [WEATHER],
    answer: 'Los Angeles',
    async direct(turn) {
      const cities = ['New York', 'Chicago', 'Los Angeles']
      const texts = await turn(...cities.map((location) => read(WEATHER, { location })))
      const degrees = texts.map((text) => JSON.parse(text).temperature as number)
      return cities[degrees.indexOf(Math.max(...degrees))]
    },
    script: () => `const cities = ['New York', 'Chicago', 'Los Angeles']
const found = await Promise.all(cities.map((location) => tools.everything__get_structured_content({ location })))
const degrees = found.map(({ temperature }) => temperature)
return cities[degrees.indexOf(Math.max(...degrees))]`,
  },
]

function filesIn(listed: string): string[] {
  return listed.split('\n').map((line) => line.replace('[FILE] ', ''))
}

function textOf(path: string): string {
  return readFileSync(path, 'utf8')
}

function entity(line: string): object {
  const [name, city] = line.split(',')
  return { name, entityType: 'person', observations: [`Lives in ${city}`] }
}

function neighbours(entities: readonly { name: string; observations: string[] }[]): object[] {
  const names = entities
    .filter(({ observations }) => observations.includes('Lives in Lyon'))
    .map(({ name }) => name)
  return names.flatMap((from, at) =>
    names.slice(at + 1).map((to) => ({ from, to, relationType: 'lives near' })),
  )
}
