import { InvalidOptionError } from 'toolsearch'

const isPath = (value: unknown) => typeof value === 'string' && value !== ''
const CHECKS: Readonly<Record<string, readonly [(value: unknown) => boolean, fix: string]>> = {
  cacheDir: [(value) => value === false || isPath(value), 'use the path of a folder, or false'],
  // `createRemoteVectors` checks its range.
  timeoutMs: [(value) => typeof value === 'number', 'use a number'],
  onError: [(value) => typeof value === 'function', 'use a function'],
  file: [isPath, 'use the path of a file'],
}

/** @throws InvalidOptionError if an option is unknown or has a wrong value */
export function checkEncoderOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null) {
    throw new InvalidOptionError('options', options, 'options must be an object')
  }
  for (const [key, value] of Object.entries(options)) {
    if (!Object.hasOwn(CHECKS, key)) {
      const known = Object.keys(CHECKS).join(', ')
      throw new InvalidOptionError(key, value, `There is no option "${key}"; use ${known}`)
    }
    const [isValid, fix] = CHECKS[key]!
    if (value !== undefined && !isValid(value)) {
      throw new InvalidOptionError(key, value, `${key} is ${JSON.stringify(value)}; ${fix}`)
    }
  }
}
