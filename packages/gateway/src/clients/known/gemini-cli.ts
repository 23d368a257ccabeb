import { join } from 'node:path'
import type { KnownClient } from '../known-client.ts'
import { defined, mapTexts, objectAt, plainEntry, toolRules } from './client-parts.ts'

export const geminiCli: KnownClient = {
  id: 'gemini-cli',
  label: 'Gemini CLI',
  files: ({ home, cwd }) => [
    { file: join(home, '.gemini', 'settings.json') },
    { file: join(cwd, '.gemini', 'settings.json'), project: cwd },
  ],
  groups(content) {
    const { excluded, allowed } = objectAt(content, 'mcp')
    const names = Object.keys(objectAt(content, 'mcpServers'))
    const isOff = (name: string) =>
      (Array.isArray(excluded) && excluded.includes(name)) ||
      (Array.isArray(allowed) && allowed.length > 0 && !allowed.includes(name))
    return [{ path: ['mcpServers'], disabled: names.filter(isOff) }]
  },
  variables: /^[A-Za-z_]\w*(:-.*)?$/s,
  convert(entry) {
    const expanded = mapTexts(entry, (text) =>
      // it also replaces variables without braces
      text.replace(/(?<!\$)\$([A-Za-z_]\w*)/g, (_, name) => `\${${name}}`),
    ) as typeof entry
    const { command, args, env, cwd, url, httpUrl, headers, timeout, type } = expanded
    return {
      entry: defined({
        type: httpUrl === undefined ? type : 'http',
        command,
        args,
        env,
        cwd,
        url: httpUrl ?? url,
        headers,
        timeout: typeof timeout === 'number' ? Math.max(1_000, timeout) : undefined,
        description: expanded.description,
        ...toolRules(expanded.includeTools, expanded.excludeTools),
      }),
    }
  },
  entry(gateway) {
    if (!('url' in gateway)) return plainEntry(gateway)
    const { url, ...rest } = gateway
    return { httpUrl: url, ...rest }
  },
}
