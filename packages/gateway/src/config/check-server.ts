import { readConfig } from './read-config.ts'

/**
 * The reason if the gateway cannot use an entry of `mcpServers`. Unset variables are fine: they may be
 * set later.
 */
export function checkServer(
  name: string,
  entry: unknown,
  { file, env }: { file: string; env: Readonly<Record<string, string | undefined>> },
): string | undefined {
  const anyValue = (key: string | symbol) => Reflect.get(env, key) || 'http://localhost'
  const anySet: Record<string, string> = new Proxy(Object.create(null), {
    get: (_, key) => anyValue(key),
    getOwnPropertyDescriptor: (_, key) => ({ configurable: true, value: anyValue(key) }),
  })
  const text = JSON.stringify({ mcpServers: Object.fromEntries([[name, entry]]) })
  const result = readConfig(text, { file, env: anySet })
  if (!('problems' in result)) return undefined
  return result.problems.map(({ message, fix }) => `${message} ${fix}`).join(' ')
}
