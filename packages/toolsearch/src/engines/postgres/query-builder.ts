import type { EngineScope } from '../candidate-engine.ts'

/** Collects the values of a statement. Values never become part of its text. */
export interface Parameters {
  readonly values: unknown[]
  /** Returns the placeholder of a value: `$1`, `$2` and so on. */
  add(value: unknown): string
}

export function createParameters(): Parameters {
  const values: unknown[] = []
  return {
    values,
    add(value) {
      values.push(value)
      return `$${values.length}`
    },
  }
}

/** The conditions of a scope, each with `AND` in front. */
export function scopeConditions({ names, sources }: EngineScope, parameters: Parameters): string {
  const conditions: string[] = []
  if (names) conditions.push(`AND name = ANY(${parameters.add(storable(names))}::text[])`)
  if (sources) conditions.push(`AND source = ANY(${parameters.add(storable(sources))}::text[])`)
  return conditions.join(' ')
}

/** The texts that can be in the database at all. Others would make the statement fail. */
export function storable(texts: readonly string[]): string[] {
  return texts.filter((text) => !text.includes('\0') && text.isWellFormed())
}

/** Escapes a text for use in a `LIKE` pattern. */
export function likeText(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
