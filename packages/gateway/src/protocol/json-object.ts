/** A JSON object whose fields have not been checked. */
export type JsonObject = { readonly [key: string]: unknown }

/** Whether a value is an object in the JSON sense: neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** JSON as a text. `String` throws if an object has a field `toString` that is not a function. */
export function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}
