import { getNodeValue, type Node } from 'jsonc-parser'
import { closestKey } from './closest-key.ts'
import type { ConfigProblem } from './config-problem.ts'
import { type Environment, type ExpandOptions, expandVariables } from './expand-variables.ts'
import type { JsonDocument } from './parse-document.ts'
import type {
  IntegerProperty,
  ListProperty,
  MapProperty,
  ObjectRules,
  Property,
  TextProperty,
} from './rules/object-rules.ts'

/** Reads values from a parsed file and collects the problems in them. */
export interface ConfigReader {
  report(at: Node, message: string, fix: string): void
  /**
   * Reads an object by its rules. Reports unknown, rejected and duplicate keys immediately, and invalid
   * values when they are read. Without a node, every key is missing.
   */
  object<Shape extends object>(
    node: Node | undefined,
    place: Place,
    rules: ObjectRules<Shape>,
  ): ObjectReader<Shape>
  /** The items of a list. */
  items(node: Node | undefined, label: string): readonly Node[]
  /** The properties of an object with arbitrary keys. Reports duplicate keys. */
  entries(node: Node | undefined, label: string): readonly Entry[]
  /** Runs a function whose problems belong to one server. */
  forServer<T>(server: string, read: () => T): T
  problems(): readonly ConfigProblem[]
}

/** The properties of one object. */
export interface ObjectReader<Shape extends object> {
  has(key: keyof Shape): boolean
  node(key: keyof Shape): Node | undefined
  /** What the property is called in problems, such as `"url" of server "a"`. */
  name(key: keyof Shape): string
  /** Undefined if the property is missing, or if it is invalid and has been reported as a problem. */
  get<Key extends keyof Shape>(key: Key): Shape[Key] | undefined
}

/** Where an object is, for messages. */
export interface Place {
  /** @example server "a" */
  readonly label: string
  /** @example name('oauth.scope') // "oauth.scope" of server "a" */
  name(path: string): string
}

export interface Entry {
  readonly key: string
  readonly keyNode: Node
  readonly value: Node
}

/** The place of an object inside another one. */
export function nestedPlace({ name }: Place, key: string): Place {
  return { label: name(key), name: (path) => name(`${key}.${path}`) }
}

// people fix a few problems at a time, and a broken file can have one per character
const MAX_PROBLEMS = 100

/** A reader of one file. */
export function createConfigReader(
  document: JsonDocument,
  { file, env }: { readonly file: string; readonly env: Environment },
): ConfigReader {
  const problems: ConfigProblem[] = []
  let omitted = 0
  let currentServer: string | undefined

  return {
    report,
    forServer(server, readEntry) {
      currentServer = server
      try {
        return readEntry()
      } finally {
        currentServer = undefined
      }
    },
    object(node, place, rules) {
      const values = knownValues(node, place.label, rules)
      const nameOf = (key: unknown) => place.name(String(key))
      return {
        has: (key) => values.has(key),
        node: (key) => values.get(key),
        name: nameOf,
        get(key) {
          const value = values.get(key)
          return value && (read(value, nameOf(key), rules.properties[key]) as never)
        },
      }
    },
    items(node, label) {
      return is(node, 'array', label, 'an array', 'Write [ … ].') ? (node.children ?? []) : []
    },
    entries,
    problems() {
      if (omitted === 0) return problems
      const message =
        omitted === 1 ? '1 more problem is not shown.' : `${omitted} more problems are not shown.`
      return [...problems, { ...problems.at(-1)!, message, fix: 'Fix the ones above first.' }]
    },
  }

  function report(at: Node, message: string, fix: string): void {
    if (problems.length >= MAX_PROBLEMS) omitted++
    else {
      problems.push({
        file,
        ...document.position(at.offset),
        message: capitalize(message),
        fix,
        ...(currentServer !== undefined && { server: currentServer }),
      })
    }
  }

  function knownValues<Shape extends object>(
    node: Node | undefined,
    label: string,
    { properties, ignored = [], rejected = {} }: ObjectRules<Shape>,
  ): Map<keyof Shape, Node> {
    const values = new Map<keyof Shape, Node>()
    for (const { key, keyNode, value } of entries(node, label)) {
      if (Object.hasOwn(properties, key)) values.set(key as keyof Shape, value)
      else if (Object.hasOwn(rejected, key)) {
        report(keyNode, `${quote(key)} is not a valid key in ${label}.`, rejected[key]!)
      } else if (!ignored.includes(key)) {
        reportUnknown(keyNode, key, label, [...Object.keys(properties), ...ignored])
      }
    }
    return values
  }

  function reportUnknown(at: Node, key: string, label: string, known: readonly string[]): void {
    // finding the closest key is slow, so stop once problems are no longer shown
    if (problems.length >= MAX_PROBLEMS) {
      omitted++
      return
    }
    const closest = closestKey(key, known)
    const fix = closest ? `Did you mean "${closest}"?` : 'Remove it.'
    report(at, `Unknown key ${quote(key)} in ${label}.`, fix)
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
        report(keyNode, `${quote(key)} appears twice in ${label}.`, 'Remove one of them.')
      } else {
        seen.add(key)
        found.push({ key, keyNode, value })
      }
    }
    return found
  }

  function read(node: Node, label: string, property: Property): unknown {
    switch (property.kind) {
      case 'boolean':
        return is(node, 'boolean', label, 'true or false', 'Write true or false, without quotes.')
          ? node.value
          : undefined
      case 'integer':
        return readInteger(node, label, property)
      case 'choice':
        return readChoice(node, label, property.choices)
      case 'text':
        return readText(node, label, property)
      case 'list':
        return readList(node, label, property)
      case 'map':
        return readMap(node, label, property)
      case 'any':
        return getNodeValue(node)
      case 'object':
      case 'objects':
        throw new Error('Nested objects are read with `object` and `items`.')
    }
  }

  function readText(node: Node, label: string, property: TextProperty): string | undefined {
    const { isLiteral, isEmptyAllowed, pattern, url, example } = property
    const text = isLiteral ? readString(node, label) : readExpanded(node, label)
    if (text === undefined) return undefined
    if (text === '' && !isEmptyAllowed) {
      report(node, `${label} is empty.`, 'Remove it, or write a value.')
      return undefined
    }
    if (pattern && !pattern.test(text)) {
      report(node, `${label} cannot be ${quote(text)}.`, `Write ${example}.`)
      return undefined
    }
    if (!url || (url.test(text) && URL.canParse(text))) return text
    const isInsecure = text.startsWith('http://') && url.test(text.replace('http', 'https'))
    const problem = isInsecure ? 'must start with https://' : 'is not a valid URL'
    report(node, `${label} ${problem}.`, `Write ${example}.`)
    return undefined
  }

  function readInteger(
    node: Node,
    label: string,
    { min, max, unit }: IntegerProperty,
  ): number | undefined {
    const what = unit ? `a number of ${unit}` : 'a number'
    const range = `Write ${what} from ${min} to ${max}, without quotes.`
    if (!is(node, 'number', label, 'an integer', range)) return undefined
    const { value } = node
    if (Number.isInteger(value) && value >= min && value <= max) return value
    report(node, `${label} cannot be ${value}.`, range)
    return undefined
  }

  function readChoice(node: Node, label: string, choices: readonly string[]): string | undefined {
    const fix = `Write one of ${choices.map((choice) => `"${choice}"`).join(', ')}.`
    if (!is(node, 'string', label, 'a string', fix)) return undefined
    if (choices.includes(node.value)) return node.value
    const closest = closestKey(node.value, choices)
    const hint = closest ? `Did you mean "${closest}"? ` : ''
    report(node, `${label} cannot be ${quote(node.value)}.`, `${hint}${fix}`)
    return undefined
  }

  function readList(node: Node, label: string, property: ListProperty): string[] {
    if (!is(node, 'array', label, 'an array', 'Write [ … ].')) return []
    const { isExpanded, itemPattern, itemExample, isNeverEmpty } = property
    const readItem = (at: Node, name: string) =>
      isExpanded ? readExpanded(at, name) : readString(at, name)
    const children = node.children ?? []
    if (isNeverEmpty && children.length === 0) {
      report(node, `${label} is empty.`, 'Remove it, or add an item.')
    }
    return children
      .map((child, index) => {
        const itemLabel = `item ${index + 1} in ${label}`
        const item = readItem(child, itemLabel)
        if (item === undefined || !itemPattern) return item
        if (item.trim() === '') report(child, `${itemLabel} is empty.`, 'Remove it.')
        else if (itemExample === undefined || itemPattern.test(item)) return item
        else report(child, `${itemLabel} cannot be ${quote(item)}.`, `Write ${itemExample}.`)
        return undefined
      })
      .filter((item) => item !== undefined)
  }

  function readMap(node: Node, label: string, property: MapProperty): Record<string, string> {
    const { isExpanded, keyPattern, valuePattern, takesNumbers, takesPersonValues } = property
    const options = takesPersonValues ? { keepsPersonValues: true } : {}
    const readValue = (at: Node, name: string) =>
      isExpanded ? readExpanded(at, name, options) : readString(at, name)
    const pairs: [string, string][] = []
    for (const { key, keyNode, value } of entries(node, label)) {
      const name = `${quote(key)} in ${label}`
      const text =
        takesNumbers && value.type === 'number' ? String(value.value) : readValue(value, name)
      if (keyPattern && !keyPattern.test(key)) {
        report(keyNode, `${label} contains an invalid name.`, 'Correct or remove it.')
      } else if (text !== undefined && valuePattern && !valuePattern.test(text)) {
        report(value, `${name} contains a character that is not allowed.`, 'Remove it.')
      } else if (text !== undefined) pairs.push([key, text])
    }
    // assigning a key "__proto__" would set the prototype instead
    return Object.fromEntries(pairs)
  }

  function readString(node: Node, label: string): string | undefined {
    return is(node, 'string', label, 'a string', 'Put it in double quotes.')
      ? node.value
      : undefined
  }

  function readExpanded(
    node: Node,
    label: string,
    options: ExpandOptions = {},
  ): string | undefined {
    const written = readString(node, label)
    if (written === undefined) return undefined
    const expansion = expandVariables(written, env, options)
    if ('text' in expansion) {
      if (!expansion.text.includes('\0')) return expansion.text
      report(node, `${label} contains a NUL character.`, 'Remove it.')
    } else {
      report(node, `${label} ${expansion.message}.`, expansion.fix)
    }
    return undefined
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
}

function capitalize(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

/** A name from the file in quotes, shortened if it is very long. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text)
}
