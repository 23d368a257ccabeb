import { safeName } from '../../catalogue/safe-name.ts'

/** The tool names that every service behind the SDK accepts. */
export const SDK_NAME: RegExp = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/

/**
 * The name of a tool in requests. It depends on the name alone, so that a call in the messages has
 * the same name after its tool is removed.
 */
export function serviceName(name: string): string {
  return SDK_NAME.test(name) ? name : safeName(name)
}

/** Translates the names that a service sends to those of the tools. */
export interface ToolNames {
  fromService(name: string): string
  /** Translates every name in the input of a search. */
  inInput(input: unknown): unknown
}

export function createToolNames(names: readonly string[]): ToolNames {
  const originals = new Map<string, string>()
  for (const name of names) {
    if (serviceName(name) !== name) originals.set(serviceName(name), name)
  }
  // If a replacement is also the real name of another tool, it refers to that tool.
  for (const name of names) originals.delete(name)
  return {
    fromService: (name) => originals.get(name) ?? name,
    inInput(input) {
      if (originals.size === 0 || input === undefined) return input
      let json = JSON.stringify(input)
      for (const [sent, name] of originals) {
        json = json.replaceAll(sent, () => JSON.stringify(name).slice(1, -1))
      }
      return JSON.parse(json)
    },
  }
}
