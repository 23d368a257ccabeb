import { join } from 'node:path'

/** Where an MCP client stores its servers, and how it reads them. */
export interface KnownClient {
  readonly id: string
  readonly label: string
  /** Files that may exist on this machine. */
  files(machine: Machine): readonly ClientFile[]
  /** The key under which it stores its servers. */
  readonly serversKey: 'mcpServers' | 'servers'
  /** Matches the variables that the client replaces. It leaves any other `${…}` unchanged. */
  readonly variables: RegExp
  /** Fields that its entries need in addition to the command. */
  readonly entry: Readonly<Record<string, string>>
}

export interface ClientFile {
  readonly file: string
  /** The project folder of the file; undefined if the file applies to every project. */
  readonly project?: string
  /** Whether the file also contains the servers of single projects, under `projects[folder]`. */
  readonly holdsProjects?: boolean
}

export interface Machine {
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
}

const NO_VARIABLES = /(?!)/
const EDITOR_VARIABLES =
  /^(env:.*|input:.*|userHome|workspaceFolder|workspaceFolderBasename|pathSeparator|\/)$/s

export const KNOWN_CLIENTS: readonly KnownClient[] = [
  {
    id: 'claude-desktop',
    label: 'Claude Desktop',
    files: (machine) => [
      { file: join(settingsFolder(machine), 'Claude', 'claude_desktop_config.json') },
    ],
    serversKey: 'mcpServers',
    variables: NO_VARIABLES,
    entry: {},
  },
  {
    id: 'claude-code',
    label: 'Claude Code',
    files: ({ home, env, cwd }) => [
      { file: join(env.CLAUDE_CONFIG_DIR || home, '.claude.json'), holdsProjects: true },
      { file: join(cwd, '.mcp.json'), project: cwd },
    ],
    serversKey: 'mcpServers',
    variables: /^[A-Za-z_]\w*(:-.*)?$/s,
    entry: { type: 'stdio' },
  },
  {
    id: 'cursor',
    label: 'Cursor',
    files: ({ home, cwd }) => [
      { file: join(home, '.cursor', 'mcp.json') },
      { file: join(cwd, '.cursor', 'mcp.json'), project: cwd },
    ],
    serversKey: 'mcpServers',
    variables: EDITOR_VARIABLES,
    entry: {},
  },
  {
    id: 'vscode',
    label: 'VS Code',
    files: (machine) => [
      { file: join(settingsFolder(machine), 'Code', 'User', 'mcp.json') },
      { file: join(settingsFolder(machine), 'Code - Insiders', 'User', 'mcp.json') },
      { file: join(machine.cwd, '.vscode', 'mcp.json'), project: machine.cwd },
    ],
    serversKey: 'servers',
    variables: EDITOR_VARIABLES,
    entry: { type: 'stdio' },
  },
  {
    id: 'windsurf',
    label: 'Windsurf',
    files: ({ home }) => [{ file: join(home, '.codeium', 'windsurf', 'mcp_config.json') }],
    serversKey: 'mcpServers',
    variables: /^env:/,
    entry: {},
  },
]

function settingsFolder({ home, platform, env }: Machine): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming')
  return env.XDG_CONFIG_HOME || join(home, '.config')
}
