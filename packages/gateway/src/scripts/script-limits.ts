import type { ScriptsConfig } from '../config/gateway-config.ts'

/** The message to a script that computes for too long without a call. */
export function tooSlow({ cpuMs }: ScriptsConfig): string {
  return `The script computed for more than ${cpuMs / 1_000} seconds without a call, which is the limit. Is there an endless loop?`
}

/** The message to a script that needs too much memory. */
export function outOfMemory({ memoryMb }: ScriptsConfig): string {
  return `The script needs more than ${memoryMb} MB of memory, which is the limit.`
}

/** The message to a script that returns too much. */
export function tooLong(length: number, { outputChars }: ScriptsConfig): string {
  return `The script returned ${number(length)} characters, and the limit is ${number(outputChars)}. Return only what you need.`
}

/** The message to a script that gets a result which does not fit into its memory. */
export function tooLarge(name: string | undefined, length: number): string {
  return `The result of ${name} has ${number(length)} characters, which is too much for the memory of the script. Ask the tool for less.`
}

/** The message to a script that calls too often. */
export function tooManyCalls({ calls }: ScriptsConfig): string {
  return `The script made more than ${number(calls)} calls, which is the limit.`
}

/** The message to a script whose calls have too many arguments. */
export function tooMuchSent({ memoryMb }: ScriptsConfig): string {
  return `The arguments of all calls of the script have more than ${memoryMb} MB, which is the limit.`
}

function number(value: number): string {
  return value.toLocaleString('en')
}
