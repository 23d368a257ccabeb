import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A request as a person might phrase it, and the description that fits it. */
export interface Pair {
  readonly request: string
  readonly description: string
}

/** The training data from one source. */
export interface Source {
  readonly name: string
  readonly texts: readonly string[]
  readonly pairs: readonly Pair[]
  /** Complete sentences in everyday language. */
  readonly sentences?: readonly string[]
}

/** The fields of an OpenAPI operation that we use. */
interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly { readonly name?: string }[]
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch'])
const OPEN_LICENCE =
  /apache|\bmit\b|bsd|isc|cc0|public domain|unlicense|creative commons attribution|creativecommons.org\/licenses\/by\//i
const CLOSED_LICENCE = /noncommercial|sharealike|noderiv|by-(nc|sa|nd)|-sa\b|agpl|\bgpl/i
// Their files name no licence, but the owners publish them under MIT or Apache-2.0.
const OPEN_OWNERS = /^(azure\.com|microsoft\.com|stripe\.com|kubernetes\.io)/
const MAX_PER_API = 700

/** Operations from the APIs.guru directory, from openly licensed files only. */
export function readOpenApi(folder: string): Source {
  const texts = new Set<string>()
  const pairs: Pair[] = []
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => name.endsWith('.json')).sort()) {
    const api = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    const licence = `${api.info?.license?.name ?? ''} ${api.info?.license?.url ?? ''}`
    const isOpen = OPEN_LICENCE.test(licence) && !CLOSED_LICENCE.test(licence)
    if (!isOpen && !(licence.trim() === '' && OPEN_OWNERS.test(file))) continue
    texts.add(firstSentences(api.info?.description ?? ''))
    const operations = Object.values<Record<string, Operation>>(api.paths ?? {}).flatMap((path) =>
      Object.entries(path)
        .filter(([method]) => METHODS.has(method))
        .map(([, operation]) => operation),
    )
    for (const operation of sampleEvenly(operations, MAX_PER_API)) {
      const name = nameWords(operation.operationId ?? '')
      const summary = firstSentences(operation.summary ?? '')
      const description = firstSentences(operation.description ?? '')
      const parameters = (operation.parameters ?? [])
        .map((parameter) => parameter.name)
        .filter(isText)
      for (const text of parameters.length > 0 ? [summary, description] : [description])
        texts.add(text)
      if (summary === '' && description === '') texts.add(name)
      const best = description || summary
      if (name.split(' ').length > 1 && differs(name, best))
        pairs.push({ request: name, description: best })
      if (summary && description && differs(summary, description)) {
        pairs.push({ request: summary, description: `${name} ${description}` })
      }
    }
  }
  return { name: 'openapi', texts: [...texts].filter(isText), pairs }
}

/** Commands, subcommands and options of command-line programs, from Fig's completion specs. */
export function readFig(folder: string): Source {
  const texts = new Set<string>()
  const pairs: Pair[] = []
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => name.endsWith('.js')).sort()) {
    const source = readFileSync(join(folder, file), 'utf8')
    // Matched as text, without running the code: in the built files, name and description are adjacent.
    for (const [, name, description] of source.matchAll(FIG_ENTRY)) {
      const text = firstSentences(withoutEscapes(description!))
      if (!isText(text)) continue
      texts.add(text)
      const words = nameWords(name!)
      if (words.length > 2) pairs.push({ request: words, description: text })
    }
  }
  return {
    name: 'fig',
    texts: sampleEvenly([...texts], 30_000),
    pairs: sampleEvenly(pairs, 40_000),
  }
}

const FIG_ENTRY =
  /name:(?:\[)?"([\w@:./-]{2,40})"[^{}]{0,60}?,description:"((?:[^"\\]|\\.){8,300})"/g

/** Glosses, examples and synonyms of WordNet. */
export function readWordNet(folder: string): Source {
  const texts: string[] = []
  const pairs: Pair[] = []
  const sentences: string[] = []
  for (const part of ['verb', 'noun', 'adj', 'adv']) {
    const lines = readFileSync(join(folder, `data.${part}`), 'utf8').split('\n')
    for (const line of lines) {
      const [data, gloss = ''] = line.split(' | ')
      if (line.startsWith('  ') || gloss === '') continue
      const fields = data!.split(' ')
      const count = Number.parseInt(fields[3]!, 16)
      const words = Array.from({ length: count }, (_, i) => lemma(fields[4 + 2 * i]!))
      // Names of people, places and species teach little about tools.
      if (words.some((word) => /\p{Lu}/u.test(word))) continue
      const meaning = gloss.split('; "')[0]!.trim()
      const examples = [...gloss.matchAll(/"([^"]{8,})"/g)].map(([, example]) => example!)
      texts.push(`${words.slice(0, 3).join(', ')}: ${meaning}`, ...words, ...examples)
      sentences.push(...examples)
      for (const word of words) pairs.push({ request: word, description: meaning })
      for (const example of examples) pairs.push({ request: example, description: meaning })
      for (let i = 1; i < words.length; i++) {
        pairs.push({ request: words[i]!, description: words[0]! })
      }
    }
  }
  return { name: 'wordnet', texts: [...new Set(texts)], pairs, sentences }
}

/** The one-line description of each Debian package, from a `Packages` index. */
export function readDebian(index: string): Source {
  const texts = new Set<string>()
  const pairs: Pair[] = []
  for (const entry of index.split('\n\n')) {
    const name = /^Package: (.+)$/m.exec(entry)?.[1] ?? ''
    const description = /^Description: (.+)$/m.exec(entry)?.[1] ?? ''
    // The packages of a library repeat the same description.
    if (
      /-(dev|doc|dbg|data|common|prof|perl|locale.*|l10n.*)$|^(lib|python3-|ruby-|golang-|node-|r-|fonts-|rust-)/.test(
        name,
      )
    )
      continue
    if (/transitional|dummy|metapackage/.test(description)) continue
    texts.add(description)
    if (/^[a-z]{4,}(-[a-z]+)*$/.test(name)) pairs.push({ request: nameWords(name), description })
  }
  return { name: 'debian', texts: [...texts].filter(isText), pairs: [] }
}

/** At most `max` evenly spaced items, so that no large source dominates. */
export function sampleEvenly<T>(list: readonly T[], max: number): T[] {
  if (list.length <= max) return [...list]
  return Array.from({ length: max }, (_, i) => list[Math.floor((i * list.length) / max)]!)
}

/** The words of an operation's name, in lower case. */
function nameWords(name: string): string {
  return (name.match(/\p{Lu}{2,}s(?!\p{Ll})|\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu) ?? [])
    .join(' ')
    .toLowerCase()
}

/** The first sentence or two as plain text, which is what a tool description usually contains. */
function firstSentences(text: string): string {
  const plain = text
    .replace(/<[^>]*>/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/https?:\S+/g, ' ')
    .replace(/[`*#_|~]+/g, ' ')
    .replace(/&[a-z]+;/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const cut = plain.slice(0, 220)
  const end = /^.{40,}?[.!?](?= [\p{Lu}])/u.exec(cut)?.[0] ?? cut
  return end.length < 20 ? cut : end
}

function differs(request: string, description: string): boolean {
  const words = new Set(description.toLowerCase().match(/\p{L}+/gu))
  const requestWords = request.toLowerCase().match(/\p{L}+/gu) ?? []
  return (
    requestWords.length > 0 && words.size > 2 && requestWords.join(' ') !== [...words].join(' ')
  )
}

function isText(text: unknown): text is string {
  return (
    typeof text === 'string' &&
    text.length >= 4 &&
    /[a-z]{3}/i.test(text) &&
    !/[^\p{ASCII}‘’“”–—…]/u.test(text)
  )
}

function lemma(word: string): string {
  return word.replace(/\(\w+\)$/, '').replaceAll('_', ' ')
}

function withoutEscapes(text: string): string {
  return text.replace(/\\u\{?([0-9a-fA-F]{4})\}?/g, ' ').replace(/\\(.)/g, '$1')
}
