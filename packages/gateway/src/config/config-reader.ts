import type { Node } from 'jsonc-parser'
import { closestKey } from './closest-key.ts'
import type { KeyRules } from './config-keys.ts'
import type { ConfigProblem } from './config-problem.ts'
import { type Environment, expandVariables } from './expand-variables.ts'
import type { JsonDocument } from './parse-document.ts'

/**
 * Takes values out of a parsed file. Each method gives the value, or reports what is wrong with it
 * and gives undefined; `label` is what the value is called in the report.
 */
export interface ConfigReader {
  report(at: Node, message: string, fix: string): void
  /** The values of an object by key; unknown keys and keys written twice are reported. */
  fields(node: Node, label: string, rules: KeyRules): ReadonlyMap<string, Node>
  /** The properties of an object with any keys; keys written twice are reported. */
  entries(node: Node | undefined, label: string): readonly Entry[]
  text(node: Node | undefined, label: string): string | undefined
  /** A text with its variables filled in. */
  expanded(node: Node | undefined, label: string): string | undefined
  list<Item>(
    node: Node | undefined,
    label: string,
    item: (node: Node, label: string) => Item | undefined,
  ): Item[]
  choice<Choice extends string>(
    node: Node | undefined,
    label: string,
    choices: readonly Choice[],
  ): Choice | undefined
  flag(node: Node | undefined, label: string): boolean | undefined
  whole(node: Node | undefined, label: string, least: number, most: number): number | undefined
  problems(): readonly ConfigProblem[]
}

export interface Entry {
  readonly key: string
  readonly keyNode: Node
  readonly value: Node
}

// a person mends a few at a time, and a broken file can have one for each character
const MAX_PROBLEMS = 100

/** A reader of one file. */
export function createConfigReader(
  document: JsonDocument,
  { file, env }: { readonly file: string; readonly env: Environment },
): ConfigReader {
  const problems: ConfigProblem[] = []
  let unsaid = 0

  return {
    report,
    fields,
    entries,
    text,
    expanded,
    list(node, label, item) {
      if (!is(node, 'array', label, 'a list', 'Write [ … ].')) return []
      return (node.children ?? [])
        .map((child, index) => item(child, `item ${index + 1} of ${label}`))
        .filter((value) => value !== undefined)
    },
    choice(node, label, choices) {
      if (!is(node, 'string', label, 'a text', `Write one of ${quoted(choices)}.`)) return undefined
      const found = choices.find((choice) => choice === node.value)
      if (found) return found
      const closest = closestKey(node.value, choices)
      const meant = closest ? `Did you mean "${closest}"? ` : ''
      report(
        node,
        `${label} cannot be ${cut(node.value)}.`,
        `${meant}Write one of ${quoted(choices)}.`,
      )
      return undefined
    },
    flag(node, label) {
      if (!is(node, 'boolean', label, 'true or false', 'Write it without quotes.')) return undefined
      return node.value
    },
    whole(node, label, least, most) {
      const range = `Write a number from ${least} to ${most}, without quotes.`
      if (!is(node, 'number', label, 'a whole number', range)) return undefined
      if (Number.isInteger(node.value) && node.value >= least && node.value <= most)
        return node.value
      report(node, `${label} cannot be ${node.value}.`, range)
      return undefined
    },
    problems() {
      if (unsaid === 0) return problems
      const message = `${unsaid} more problems are not shown.`
      return [...problems, { ...problems.at(-1)!, message, fix: 'Mend the ones above first.' }]
    },
  }

  function report(at: Node, message: string, fix: string): void {
    if (problems.length >= MAX_PROBLEMS) unsaid++
    else problems.push({ file, ...document.position(at.offset), message, fix })
  }

  function is(
    node: Node | undefined,
    type: Node['type'],
    label: string,
    wanted: string,
    fix: string,
  ): node is Node {
    if (!node) return false
    if (node.type === type) return true
    report(node, `${label} must be ${wanted}.`, fix)
    return false
  }

  function entries(node: Node | undefined, label: string): Entry[] {
    if (!is(node, 'object', label, 'an object', 'Write { … }.')) return []
    const seen = new Set<string>()
    const found: Entry[] = []
    for (const property of node.children ?? []) {
      const [keyNode, value] = property.children ?? []
      if (!keyNode || !value) continue
      const key = String(keyNode.value)
      if (seen.has(key)) {
        report(keyNode, `${cut(key)} is written twice in ${label}.`, 'Keep one of the two.')
      } else {
        seen.add(key)
        found.push({ key, keyNode, value })
      }
    }
    return found
  }

  function fields(node: Node, label: string, { read, ignored = [], instead = {} }: KeyRules) {
    const values = new Map<string, Node>()
    for (const { key, keyNode, value } of entries(node, label)) {
      if (read.includes(key)) values.set(key, value)
      else if (Object.hasOwn(instead, key))
        report(keyNode, `${cut(key)} in ${label} is not known here.`, instead[key]!)
      else if (!ignored.includes(key)) reportUnknown(keyNode, key, label, [...read, ...ignored])
    }
    return values
  }

  function reportUnknown(at: Node, key: string, label: string, known: readonly string[]): void {
    if (problems.length >= MAX_PROBLEMS) {
      unsaid++
      return
    }
    const closest = closestKey(key, known)
    const fix = closest ? `Did you mean "${closest}"?` : 'Take it away.'
    report(at, `Unknown key ${cut(key)} in ${label}.`, fix)
  }

  function text(node: Node | undefined, label: string): string | undefined {
    if (!is(node, 'string', label, 'a text', 'Put it in double quotes.')) return undefined
    return node.value
  }

  function expanded(node: Node | undefined, label: string): string | undefined {
    const written = text(node, label)
    if (written === undefined) return undefined
    const expansion = expandVariables(written, env)
    if ('text' in expansion) {
      if (!expansion.text.includes('\0')) return expansion.text
      report(node!, `${label} holds a NUL character.`, 'Take it away.')
    } else {
      report(node!, `${label} ${expansion.message}.`, expansion.fix)
    }
    return undefined
  }
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(', ')
}

function cut(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text)
}
