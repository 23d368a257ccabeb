import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const LEVELS = ['INFO', 'INFO', 'INFO', 'WARN', 'INFO', 'ERROR', 'INFO']
export const CITIES: readonly string[] = ['Bergen', 'Lyon', 'Osaka', 'Quito']

/** Creates the files that the tasks are about. Always the same. */
export function createTaskFiles(folder: string): void {
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text)
  for (const name of ['notes', 'invoices', 'services', 'trail', 'inbox'])
    mkdirSync(join(folder, name))
  write(
    'package.json',
    JSON.stringify({ name: 'harbour', version: '4.7.1', private: true }, null, 2),
  )
  write('release.json', JSON.stringify({ name: 'quay', version: '1.9.0' }, null, 2))
  const log = Array.from({ length: 600 }, (_, line) => {
    const level = LEVELS[line % LEVELS.length]
    return `2026-03-${String(1 + (line % 28)).padStart(2, '0')} ${level} request ${1000 + line} took ${(line * 37) % 900} ms`
  })
  write('server.log', log.join('\n'))
  const orders = Array.from({ length: 200 }, (_, at) =>
    [at + 1, CITIES[at % 4], (at * 13) % 97].join(','),
  )
  write('orders.csv', ['id,city,amount', ...orders].join('\n'))
  const people = Array.from({ length: 10 }, (_, at) => [`Person ${at}`, CITIES[at % 4]].join(','))
  write('people.csv', ['name,city', ...people].join('\n'))
  for (let at = 0; at < 12; at += 1) {
    const topic = `Meeting ${at}. ${'We discussed the plan for the next quarter. '.repeat(12)}`
    write(`notes/note-${at}.md`, `${topic}Next meeting: ${CITIES[at % 4]}.\n`)
    const lines = Array.from({ length: 8 }, (_, item) => ({
      item: `part-${item}`,
      price: at + item,
    }))
    const invoice = { number: 100 + at, isPaid: at % 3 !== 0, total: at * 11 + 28, lines }
    write(`invoices/${100 + at}.json`, JSON.stringify(invoice, null, 2))
  }
  for (let at = 0; at < 8; at += 1) {
    const letter = `Dear team,\n\n${'Thank you for your message about the harbour. '.repeat(6)}`
    const priority = at % 3 === 0 ? 'high' : 'low'
    write(`inbox/letter-${at}.txt`, `${letter}\n\nPriority: ${priority}\n`)
  }
  for (let at = 0; at < 5; at += 1) {
    write(`services/service-${at}.json`, JSON.stringify({ name: `s${at}`, port: 8080 }, null, 2))
    write(`trail/${at}.txt`, at === 4 ? 'The code is 7315.' : `Read ${at + 1}.txt next.`)
  }
}
