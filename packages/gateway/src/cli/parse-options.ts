import { parseArgs } from 'node:util'
import { closestKey } from '../config/closest-key.ts'
import type { Command, CommandCall, OptionValue } from './command.ts'
import { UsageError } from './command-errors.ts'

const HELP = { help: { type: 'boolean', short: 'h' } } as const

/** Reads the arguments and options of a command line. @throws UsageError that names the mistake */
export function parseOptions(
  { options }: Pick<Command, 'options'>,
  line: readonly string[],
): Pick<CommandCall, 'args' | 'values' | 'hasSeparator'> {
  const known = { ...options, ...HELP }
  // Not strict, because Node's own messages explain its parser instead of the command.
  const { positionals, tokens } = parseArgs({
    args: [...line],
    allowPositionals: true,
    strict: false,
    tokens: true,
    options: known,
  })
  const values: Record<string, OptionValue> = {}
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    const option = Object.hasOwn(known, name) ? known[name as keyof typeof known] : undefined
    const type = option?.type
    if (type === undefined) throw new UsageError(unknownOption(rawName, Object.keys(known)))
    if (type === 'boolean') {
      if (value !== undefined) throw new UsageError(`The option ${rawName} takes no value.`)
      values[name] = true
      continue
    }
    // Without "=", the value is the next argument, which may be the next option.
    if (value === undefined || (!inlineValue && /^-./.test(value))) {
      throw new UsageError(`The option ${rawName} needs a value.`)
    }
    const earlier = values[name]
    const isList = option !== undefined && 'multiple' in option && option.multiple === true
    values[name] = isList ? [...(Array.isArray(earlier) ? earlier : []), value] : value
  }
  const hasSeparator = tokens.some(({ kind }) => kind === 'option-terminator')
  return { values, args: positionals, hasSeparator }
}

function unknownOption(rawName: string, names: readonly string[]): string {
  const closest = rawName.startsWith('--') ? closestKey(rawName.slice(2), names) : undefined
  const hint = closest === undefined ? '' : ` Did you mean --${closest}?`
  return `There is no option ${rawName}.${hint}`
}
