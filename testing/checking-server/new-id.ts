let made = 0

/** An id that nothing else in this process has, with the prefix a service gives to such a thing. */
export function newId(prefix: string): string {
  made += 1
  return `${prefix}_${String(made).padStart(8, '0')}`
}
