import type { Field, Input } from './schema-fields.ts'

/** What a person entered: a text for each simple field, otherwise a list or an object of such values. */
export type FormValue = string | readonly FormValue[] | { readonly [name: string]: FormValue }

export interface FormProblem {
  /** Such as `filter.since` or `items.2`. */
  readonly path: string
  readonly message: string
}

/** The form before anything is entered, with the defaults filled in. */
export function initialForm(fields: readonly Field[]): { readonly [name: string]: FormValue } {
  return Object.fromEntries(fields.map((field) => [field.name, initialValue(field)]))
}

export function initialValue({ input, initial, isRequired }: Field): FormValue {
  if (initial !== undefined) return formValueOf(input, initial)
  if (input.kind === 'list') return []
  if (input.kind === 'object') return initialForm(input.fields)
  if (input.kind === 'choice' && input.options.length === 1 && isRequired)
    return JSON.stringify(input.options[0])
  return ''
}

function formValueOf(input: Input, value: unknown): FormValue {
  switch (input.kind) {
    case 'choice':
      return JSON.stringify(value)
    case 'json':
      return JSON.stringify(value, null, 2)
    case 'list':
      return Array.isArray(value) ? value.map((item) => formValueOf(input.item.input, item)) : []
    case 'object': {
      const given = (typeof value === 'object' ? value : null) as Record<string, unknown> | null
      return Object.fromEntries(
        input.fields.map((field) => {
          const inner = given?.[field.name]
          return [
            field.name,
            inner === undefined ? initialValue(field) : formValueOf(field.input, inner),
          ]
        }),
      )
    }
    default:
      return String(value)
  }
}

/** Fills a form with arguments that were entered as JSON. */
export function formOf(
  fields: readonly Field[],
  given: Readonly<Record<string, unknown>>,
): { readonly [name: string]: FormValue } {
  return Object.fromEntries(
    fields.map((field) => {
      const value = given[field.name]
      return [field.name, value === undefined ? emptyValue(field) : formValueOf(field.input, value)]
    }),
  )
}

function emptyValue({ input }: Field): FormValue {
  if (input.kind === 'list') return []
  if (input.kind === 'object')
    return Object.fromEntries(input.fields.map((field) => [field.name, emptyValue(field)]))
  return ''
}

/** Reads the arguments of a form. Empty optional fields are left out. */
export function readForm(
  fields: readonly Field[],
  values: FormValue | undefined,
): { readonly value: Record<string, unknown>; readonly problems: readonly FormProblem[] } {
  const problems: FormProblem[] = []
  const value = readObject(fields, values, '', problems) ?? {}
  return { value, problems }
}

function readObject(
  fields: readonly Field[],
  values: FormValue | undefined,
  path: string,
  problems: FormProblem[],
): Record<string, unknown> | undefined {
  const given = (typeof values === 'object' ? values : {}) as Record<string, FormValue>
  const entries = fields.flatMap((field) => {
    const inner = path === '' ? field.name : `${path}.${field.name}`
    const read = readField(field, given[field.name] ?? '', inner, problems)
    return read === undefined ? [] : [[field.name, read] as const]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

function readField(field: Field, value: FormValue, path: string, problems: FormProblem[]): unknown {
  const { input, isRequired } = field
  const report = (message: string) => void problems.push({ path, message })
  if (input.kind === 'list') {
    const items = Array.isArray(value) ? (value as readonly FormValue[]) : []
    if (items.length === 0) return isRequired ? [] : undefined
    return items.map((item, at) => readField(input.item, item, `${path}.${at + 1}`, problems))
  }
  if (input.kind === 'object') {
    // The required fields of an optional object count only if something was entered in it.
    if (!isRequired && isEmpty(value)) return undefined
    return readObject(input.fields, value, path, problems) ?? {}
  }
  const text = typeof value === 'string' ? value : ''
  // An item of a list may be an empty text: an item that is not wanted can be removed.
  if (text === '' && !(input.kind === 'text' && field.name === '')) {
    if (isRequired) report('This field is required.')
    return undefined
  }
  switch (input.kind) {
    case 'text':
      return text
    case 'number': {
      const number = Number(text)
      if (text.trim() === '' || !Number.isFinite(number)) return report('Enter a number.')
      if (input.isWhole && !Number.isInteger(number)) return report('Enter a whole number.')
      return number
    }
    case 'boolean':
      return text === 'true'
    default:
      try {
        return JSON.parse(text) as unknown
      } catch {
        return report('This is not valid JSON.')
      }
  }
}

function isEmpty(value: FormValue): boolean {
  return typeof value === 'string' ? value === '' : Object.values(value).every(isEmpty)
}
