const errors: unknown[] = []

/** Remembers an error of a test's script. The client can hide the failed request from the test. */
export function addScriptError(error: unknown): void {
  errors.push(error)
}

/** The errors since the last call. Each test ends with a call that throws them. */
export function takeScriptErrors(): unknown[] {
  return errors.splice(0)
}
