import type { ConfigFile } from '../config-file.ts'
import { UNDER_TOOLSEARCH } from './common-rules.ts'
import type { ObjectRules } from './object-rules.ts'

export const ROOT_RULES: ObjectRules<ConfigFile> = {
  properties: {
    mcpServers: {
      kind: 'object',
      definition: 'servers',
      description:
        "MCP servers by name. A server's name becomes the prefix of its tools' names. This is the format of Claude Desktop, Claude Code, Cursor and Windsurf.",
    },
    servers: {
      kind: 'object',
      definition: 'servers',
      description: 'MCP servers by name, in the format of VS Code. Equivalent to `mcpServers`.',
    },
    toolsearch: {
      kind: 'object',
      definition: 'settings',
      description: 'Gateway settings.',
    },
  },
  ignored: [
    '$schema',
    'inputs',
    'sandbox',
    'globalShortcut',
    'preferences',
    'isUsingBuiltInNodeForMcp',
    'isDxtAutoUpdatesEnabled',
  ],
  rejected: {
    mcp: 'Move its contents one level up: "servers" belongs at the top level of the file.',
    mode: UNDER_TOOLSEARCH,
    callTools: UNDER_TOOLSEARCH,
    pins: UNDER_TOOLSEARCH,
    skills: UNDER_TOOLSEARCH,
    allow: UNDER_TOOLSEARCH,
    deny: UNDER_TOOLSEARCH,
    readOnly: UNDER_TOOLSEARCH,
    ranking: UNDER_TOOLSEARCH,
    translateQueries: UNDER_TOOLSEARCH,
    learning: UNDER_TOOLSEARCH,
    limits: UNDER_TOOLSEARCH,
    scripts: UNDER_TOOLSEARCH,
    approve: UNDER_TOOLSEARCH,
    shortcut: UNDER_TOOLSEARCH,
    history: UNDER_TOOLSEARCH,
    identity: UNDER_TOOLSEARCH,
    access: UNDER_TOOLSEARCH,
    profiles: UNDER_TOOLSEARCH,
    rateLimits: UNDER_TOOLSEARCH,
    audit: UNDER_TOOLSEARCH,
    telemetry: UNDER_TOOLSEARCH,
    state: UNDER_TOOLSEARCH,
    encryption: UNDER_TOOLSEARCH,
    projects: "This is Claude Code's own file. Run `toolsearch import` to import its servers.",
  },
}
