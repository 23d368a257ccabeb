import { UsageError } from './command-errors.ts'

export interface CountOption {
  /** Its name on the command line. */
  readonly option: string
  readonly fallback: number
  readonly min: number
}

/** Reads an option that is a whole number. @throws UsageError */
export function readCount(value: unknown, { option, fallback, min }: CountOption): number {
  const number = Number(value ?? fallback)
  if (Number.isInteger(number) && number >= min) return number
  throw new UsageError(`Invalid ${option} "${value}": use a whole number, ${min} or more.`)
}
