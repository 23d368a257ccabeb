import type { ToolDefinition } from 'toolsearch'
import { readServers } from '../testing/catalogue/read-servers.ts'

/** Tools of the agent itself: short and used all the time, so they are sent up front. */
const builtInTools: readonly ToolDefinition[] = [
  {
    name: 'read_file',
    description: 'Read a text file from the workspace. Returns its lines, numbered from 1.',
    source: 'builtin',
    loading: 'eager',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Path relative to the workspace root.' },
        first_line: { type: 'integer', minimum: 1, default: 1 },
        line_count: { type: 'integer', minimum: 1, maximum: 2000, default: 500 },
      },
      required: ['path'],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'write_file',
    description:
      'Write a text file in the workspace. Replaces the file if it exists and creates missing ' +
      'folders.',
    source: 'builtin',
    loading: 'eager',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Path relative to the workspace root.' },
        content: { type: 'string', description: 'The whole new content of the file.' },
      },
      required: ['path', 'content'],
    },
    annotations: { destructiveHint: true, idempotentHint: true },
  },
  {
    name: 'run_command',
    description:
      'Run a shell command in the workspace and wait for it. Returns exit code, standard ' +
      'output and standard error.',
    source: 'builtin',
    loading: 'eager',
    inputSchema: {
      type: 'object',
      properties: {
        command: { type: 'string', description: 'The command line, read by the shell.' },
        folder: { type: 'string', description: 'Where to run it.', default: '.' },
        timeout_seconds: { type: 'integer', minimum: 1, maximum: 600, default: 60 },
      },
      required: ['command'],
    },
    annotations: { destructiveHint: true, openWorldHint: true },
  },
  {
    name: 'ask_user',
    description:
      'Ask the user one question and wait for the answer. Use it when a choice is theirs to ' +
      'make and cannot be undone easily.',
    source: 'builtin',
    loading: 'eager',
    inputSchema: {
      type: 'object',
      properties: {
        question: { type: 'string', description: 'One clear question.' },
        choices: {
          type: 'array',
          items: { type: 'string' },
          maxItems: 6,
          description: 'Answers to offer. The user may still answer in their own words.',
        },
      },
      required: ['question'],
    },
    annotations: { readOnlyHint: true },
  },
]

/**
 * The tools of an agent in a small company: four built-in tools and 81 tools of nine MCP servers.
 * The servers are invented. In your own agent, use the tools you have.
 */
export const myTools: readonly ToolDefinition[] = [
  ...builtInTools,
  ...readServers({
    'code-hosting': 'quarry',
    chat: 'parlour',
    calendar: 'almanac',
    mail: 'postbird',
    files: 'shelfspace',
    database: 'basin',
    monitoring: 'lookout',
    payments: 'tillway',
    tickets: 'queuework',
  }),
]
