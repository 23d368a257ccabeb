/**
 * Reads what `writeParameters` writes, without the schema, as a model would. Used to show that the
 * notation is complete: `sampleValues` writes calls from it, which must be valid by the schema.
 */
type Type =
  | { kind: 'literal'; value: unknown }
  | { kind: 'word'; name: string; limits: Limits }
  | { kind: 'array'; items: Type; limits: Limits }
  | { kind: 'tuple'; places: Type[]; rest?: Type }
  | { kind: 'object'; fields: Field[]; others?: { keys: Type; values: Type }; limits: Limits }
  | { kind: 'union'; types: Type[] }
  | { kind: 'all'; types: Type[] }

interface Field {
  readonly name: string
  readonly isOptional: boolean
  readonly type: Type
  readonly comment?: string
}

interface Limits {
  min?: number
  max?: number
  above?: number
  below?: number
  multiple?: number
  pattern?: string
  format?: string
}

export interface Notation {
  readonly root: Type
  readonly definitions: ReadonlyMap<string, Type>
}

/** @throws on anything that is not in the notation */
export function parseParameters(text: string): Notation {
  let at = 0
  const root = readType()
  const definitions = new Map<string, Type>()
  if (take(' where ')) {
    do {
      const name = readWord()
      expectNext(' = ')
      definitions.set(name, readType())
    } while (take(', '))
  }
  if (at < text.length) throw problem('the end')
  return { root, definitions }

  function readType(): Type {
    const first = readBranches()
    if (!take(' & ')) return first
    const types = [first]
    do types.push(readBranches())
    while (take(' & '))
    return { kind: 'all', types }
  }

  function readBranches(): Type {
    const types = [readPostfix()]
    while (take('|')) types.push(readPostfix())
    return types.length === 1 ? types[0]! : { kind: 'union', types }
  }

  function readPostfix(): Type {
    let type = readPrimary()
    for (;;) {
      if (take('[]')) type = { kind: 'array', items: type, limits: {} }
      else if (text[at] === '(' && 'limits' in type) Object.assign(type.limits, readLimits())
      else return type
    }
  }

  function readPrimary(): Type {
    if (take('(')) {
      const type = readType()
      expectNext(')')
      return type
    }
    if (text[at] === '{') return readObject()
    if (take('[')) return readTuple()
    if (text[at] === '/') return { kind: 'word', name: 'string', limits: { pattern: readRegExp() } }
    if (/['\d-]/.test(text[at]!)) return { kind: 'literal', value: readLiteral() }
    const word = readWord()
    if (word === 'true' || word === 'false') return { kind: 'literal', value: word === 'true' }
    return { kind: 'word', name: word, limits: {} }
  }

  function readObject(): Type {
    expectNext('{')
    const fields: Field[] = []
    let others: { keys: Type; values: Type } | undefined
    while (!take('}')) {
      if (take('[key: ')) {
        const keys = readType()
        expectNext(']: ')
        others = { keys, values: readType() }
      } else fields.push(readField())
      take(', ')
    }
    return { kind: 'object', fields, limits: {}, ...(others && { others }) }
  }

  function readField(): Field {
    const name = text[at] === "'" ? String(readLiteral()) : readWord()
    const isOptional = take('?')
    expectNext(': ')
    const type = readType()
    if (take(' = ')) readLiteral()
    if (!take(' /* ')) return { name, isOptional, type }
    const end = text.indexOf(' */', at)
    const comment = text.slice(at, end)
    at = end + 3
    return { name, isOptional, type, comment }
  }

  function readTuple(): Type {
    const places: Type[] = []
    let rest: Type | undefined
    while (!take(']')) {
      if (take('...')) rest = readType()
      else places.push(readType())
      take(', ')
    }
    return { kind: 'tuple', places, ...(rest && { rest }) }
  }

  function readLimits(): Limits {
    expectNext('(')
    const limits: Limits = {}
    while (!take(')')) {
      if (text[at] === '/') limits.pattern = readRegExp()
      else {
        const one = text.slice(at).match(/^[^,)]+/)![0]
        at += one.length
        Object.assign(limits, readLimit(one.replace(/ chars$/, '')))
      }
      take(', ')
    }
    return limits
  }

  function readLimit(one: string): Limits {
    const [, min, max] = /^(-?[\d.e+-]+?)\.\.(-?[\d.e+-]+)$/.exec(one) ?? []
    if (min !== undefined) return { min: Number(min), max: Number(max) }
    const [, sign, bound] = /^(>=|<=|>|<|multiple of )?(-?[\d.e+-]+)$/.exec(one) ?? []
    if (bound === undefined) return one === 'unique' ? {} : { format: one }
    const value = Number(bound)
    if (sign === undefined) return { min: value, max: value }
    const key = { '>=': 'min', '<=': 'max', '>': 'above', '<': 'below', 'multiple of ': 'multiple' }
    return { [key[sign as '>']]: value }
  }

  function readLiteral(): unknown {
    if (text[at] === "'") {
      const quoted = text.slice(at).match(/^'((?:\\.|[^'\\])*)'/s)!
      at += quoted[0].length
      return JSON.parse(`"${quoted[1]!.replaceAll("\\'", "'").replaceAll('"', '\\"')}"`)
    }
    if (take('[')) {
      const items: unknown[] = []
      while (!take(']')) {
        items.push(readLiteral())
        take(', ')
      }
      return items
    }
    if (take('{')) {
      const fields: Record<string, unknown> = {}
      while (!take('}')) {
        const name = text[at] === "'" ? String(readLiteral()) : readWord()
        expectNext(': ')
        fields[name] = readLiteral()
        take(', ')
      }
      return fields
    }
    const plain = text.slice(at).match(/^(?:-?\d[\d.e+-]*|true|false|null)/)
    if (!plain) throw problem('a value')
    at += plain[0].length
    return JSON.parse(plain[0])
  }

  function readRegExp(): string {
    const found = text.slice(at).match(/^\/((?:\\.|[^\\/])*)\//s)!
    at += found[0].length
    return found[1]!
  }

  function readWord(): string {
    const word = text.slice(at).match(/^[\p{L}_$][\p{L}\p{N}_$]*/u)
    if (!word) throw problem('a word')
    at += word[0].length
    return word[0]
  }

  function take(expected: string): boolean {
    if (!text.startsWith(expected, at)) return false
    at += expected.length
    return true
  }

  function expectNext(expected: string): void {
    if (!take(expected)) throw problem(JSON.stringify(expected))
  }

  function problem(expected: string): Error {
    return new Error(`Expected ${expected} at ${at}: ${text.slice(Math.max(0, at - 40), at + 40)}`)
  }
}

const MAX_SAMPLES = 40
const STRINGS = [
  ...['text', 'a', 'ab', 'A', '1', '42', 'abc', 'a-b', 'a.png', '#a1b2c3', 'a1b2c3', 'user/repo'],
  ...['I1:2', 'key=value', 'pid=1', 'anna@example.com', 'example.com', 'https://example.com/a'],
  ...['10.0.0.1', '10.0.0.0/8', '2026-01-31', '2026-01-31T10:00:00Z', '0'.repeat(24)],
  '12345678-1234-4234-8234-123456789abc',
]

/** Values that the notation allows: for an object with and without its optional properties. */
export function sampleValues({ root, definitions }: Notation): unknown[] {
  return samples(root, 0)

  function samples(type: Type, depth: number): unknown[] {
    if (type.kind === 'literal') return [type.value]
    if (type.kind === 'union') {
      const each = type.types.map((branch) => samples(branch, depth))
      return each.flatMap((values) => values.slice(0, depth < 2 ? 6 : 2)).slice(0, MAX_SAMPLES)
    }
    if (type.kind === 'all') {
      const each = type.types.map((part) => samples(part, depth))
      return each[0]!.flatMap((first) =>
        each
          .slice(1)
          .reduce<unknown[]>(
            (merged, others) => merged.flatMap((some) => others.map((other) => merge(some, other))),
            [first],
          ),
      )
    }
    if (type.kind === 'array') return arrays(type, depth)
    if (type.kind === 'tuple') return [type.places.map((place) => samples(place, depth + 1)[0])]
    return type.kind === 'object' ? objects(type, depth) : words(type, depth)
  }

  function words({ name, limits }: Type & { kind: 'word' }, depth: number): unknown[] {
    if (name === 'string') return [sampleString(limits)]
    if (name === 'integer' || name === 'number') return [sampleNumber(limits, name === 'integer')]
    if (name === 'boolean') return [true, false]
    if (name === 'null') return [null]
    if (name === 'object') return [{}]
    if (name === 'any') return ['text']
    if (name === 'never') return []
    const definition = definitions.get(name)
    if (!definition) throw new Error(`${name} is not defined.`)
    // What contains itself has to end somewhere.
    return depth > 12 ? [] : samples(definition, depth + 3)
  }

  function arrays({ items, limits }: Type & { kind: 'array' }, depth: number): unknown[][] {
    const values = samples(items, depth + 1)
    const least = Math.max(limits.min ?? 0, 0)
    if (values.length === 0) return least === 0 ? [[]] : []
    const fill = (count: number) =>
      Array.from({ length: count }, (_, at) => values[at % values.length])
    const one = values.map((value) => fill(Math.max(least, 1)).with(0, value))
    return least === 0 && limits.max !== 0 ? [[], ...one] : one
  }

  function objects({ fields, others }: Type & { kind: 'object' }, depth: number): unknown[] {
    const each = fields.map((field) => ({ ...field, values: samples(field.type, depth + 1) }))
    if (each.some(({ isOptional, values }) => !isOptional && values.length === 0)) return []
    const present = each.filter(({ values }) => values.length > 0)
    const build = (chosen: typeof present) =>
      Object.fromEntries(chosen.map(({ name, values }) => [name, values[0]]))
    const least = build(present.filter(({ isOptional }) => !isOptional))
    const most = build(present)
    const variants = present.flatMap(({ name, values }) =>
      values.slice(1).map((value) => ({ ...most, [name]: value })),
    )
    const withOther = others
      ? samples(others.values, depth + 1).map((value) => ({
          ...most,
          [String(samples(others.keys, depth + 1)[0] ?? 'other')]: value,
        }))
      : []
    return [least, most, ...withOther, ...variants].slice(0, depth === 0 ? 400 : MAX_SAMPLES)
  }
}

function sampleString({
  min = 0,
  max = Number.POSITIVE_INFINITY,
  pattern,
  format,
}: Limits): string {
  const byFormat: Record<string, string> = {
    ...{ uri: 'https://example.com/a', email: 'anna@example.com', date: '2026-01-31' },
    ...{ uuid: '12345678-1234-4234-8234-123456789abc', 'date-time': '2026-01-31T10:00:00Z' },
    ...{ ipv4: '10.0.0.1', cidrv4: '10.0.0.0/8' },
  }
  const known = format === undefined ? undefined : byFormat[format]
  const candidates = [...(known === undefined ? [] : [known]), ...STRINGS, 'a'.repeat(min)]
  const expression = pattern === undefined ? /^/ : new RegExp(pattern, 'u')
  const fits = (text: string) => text.length >= min && text.length <= max && expression.test(text)
  const found = candidates.find(fits)
  if (found === undefined)
    throw new Error(`No sample matches ${pattern} with ${min}..${max} chars.`)
  return found
}

function sampleNumber(
  { min, max, above, below, multiple = 1 }: Limits,
  isInteger: boolean,
): number {
  const least = min ?? (above === undefined ? undefined : above + (isInteger ? 1 : 1e-3))
  const most = max ?? (below === undefined ? undefined : below - (isInteger ? 1 : 1e-3))
  const value = least ?? Math.min(most ?? multiple, multiple)
  return isInteger || multiple !== 1 ? Math.ceil(value / multiple) * multiple : value
}

function merge(some: unknown, other: unknown): unknown {
  const areObjects = [some, other].every((value) => typeof value === 'object' && value !== null)
  // Where both say something about a property, a type says more than `any`.
  return areObjects ? { ...(other as object), ...(some as object) } : some
}

/** Every property as `name` or `name?`, and every literal as JSON. */
export function contentsOf({ root, definitions }: Notation): {
  properties: Set<string>
  literals: Set<string>
} {
  const properties = new Set<string>()
  const literals = new Set<string>()
  for (const type of [root, ...definitions.values()]) visit(type)
  return { properties, literals }

  function visit(type: Type): void {
    if (type.kind === 'literal') literals.add(JSON.stringify(type.value))
    if (type.kind === 'word' && type.name === 'null') literals.add('null')
    if (type.kind === 'union' || type.kind === 'all') type.types.forEach(visit)
    if (type.kind === 'array') visit(type.items)
    if (type.kind === 'tuple') [...type.places, ...(type.rest ? [type.rest] : [])].forEach(visit)
    if (type.kind !== 'object') return
    for (const { name, isOptional, type: nested } of type.fields) {
      properties.add(`${name}${isOptional ? '?' : ''}`)
      visit(nested)
    }
    if (type.others) visit(type.others.values)
  }
}
