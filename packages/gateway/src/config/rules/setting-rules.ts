import type { EmbedderEntry, GatewaySettings } from '../config-file.ts'
import { HTTP_URL, NOT_EMPTY, rename } from './common-rules.ts'
import type { ObjectRules } from './object-rules.ts'
import { TEAM_PROPERTIES } from './team-rules.ts'

export const SETTING_RULES: ObjectRules<GatewaySettings> = {
  properties: {
    mode: {
      kind: 'choice',
      choices: ['search', 'dynamic', 'passthrough', 'auto'],
      default: 'search',
      description:
        'Which tools clients see. `search`: a fixed list of meta tools, plus pinned tools. `dynamic`: the same, plus each tool that a search has found (clients up to protocol version 2025-11-25). `passthrough`: every tool. `auto`: `passthrough` for fewer than 15 tools, otherwise `search`.',
    },
    callTools: {
      kind: 'choice',
      choices: ['one', 'by-effect'],
      default: 'by-effect',
      description:
        'How models call the tools they find. `one`: with `call_tool`. `by-effect`: with `call_read_tool`, `call_write_tool` or `call_destructive_tool`, so that a client can require permission for some effects only.',
    },
    pins: {
      kind: 'list',
      itemPattern: /^[\s\S]+\/[\s\S]+$/,
      maxItemLength: 512,
      description: 'Tools to list directly in addition to the search tool, as `server/tool`.',
    },
    skills: {
      kind: 'list',
      isExpanded: true,
      itemPattern: NOT_EMPTY,
      maxItemLength: 4_096,
      description:
        'Folders with Agent Skills, relative to this file; `~` is the home folder. Each folder inside with a `SKILL.md` is offered as `skill:local/NAME` and found by the same search as tools.',
    },
    allow: {
      kind: 'list',
      itemPattern: NOT_EMPTY,
      description:
        'Offer only the tools that match one of these: names (`get_weather`), patterns (`get_*`, `github/*`, `*/list_*`) or effects (`read`, `write`, `destructive`, `open-world`). A tool must also pass the rules of its server.',
    },
    deny: {
      kind: 'list',
      itemPattern: NOT_EMPTY,
      description:
        'Never offer the tools that match one of these: names (`transfer_money`), patterns (`transfer_*`, `github/*`, `*/delete_*`) or effects (`read`, `write`, `destructive`, `open-world`). Overrules `allow`.',
    },
    readOnly: {
      kind: 'boolean',
      default: false,
      description: 'Offer only read-only tools: those whose annotations have `readOnlyHint: true`.',
    },
    ranking: {
      kind: 'choice',
      choices: ['words-and-meaning', 'words', 'encoder'],
      default: 'words-and-meaning',
      description:
        'How tools are found. `words-and-meaning`: by keywords and semantics. `words`: by keywords only, which needs less memory. `encoder`: by keywords and the sentence encoder of the package toolsearch-encoder, which you install in addition. A change takes effect after a restart.',
    },
    embedder: {
      kind: 'object',
      definition: 'embedder',
      description:
        'An embedding model to use instead of `ranking`, such as `{ "url": "http://127.0.0.1:11434/v1", "model": "nomic-embed-text" }`. A change takes effect after a restart.',
    },
    translateQueries: {
      kind: 'boolean',
      description:
        'Translate search queries in other languages to English, word by word. Defaults to true, and to false if `ranking` is `words`. A change takes effect after a restart.',
    },
    learning: {
      kind: 'choice',
      choices: ['off', 'person', 'shared'],
      default: 'off',
      description:
        "Learn which tools are called after which searches. `person`: a person's searches learn from their own calls. `shared`: from those of everybody. Stores the words of searches. `off` takes effect at once, other changes after a restart.",
    },
    limits: {
      kind: 'object',
      definition: 'limits',
      description: "Timeouts and result size for all servers. A server's own limits override them.",
    },
    scripts: {
      kind: 'object',
      definition: 'scripts',
      description:
        'Let agents run scripts that call several tools: `true`, or an object that changes what a script may use.',
    },
    approve: {
      kind: 'choice',
      choices: ['off', 'changed', 'new'],
      default: 'off',
      description:
        'Which tools are hidden from models, and cannot be called, until you run `toolsearch accept`. `changed`: tools whose definition changed. `new`: these, and every new tool. `off`: none.',
    },
    shortcut: {
      kind: 'boolean',
      default: true,
      description:
        'Answer plain tool calls directly instead of through the MCP SDK. Turn it off to rule out the fast path when you debug a client.',
    },
    taskSeconds: {
      kind: 'integer',
      min: 0,
      max: 3_600,
      unit: 'seconds',
      default: 30,
      description:
        'Answer a call that takes longer than this many seconds with a task, if the client knows tasks (protocol version 2026-07-28): the call goes on, and the client can ask for its result later, even if it loses the connection. 0 turns it off.',
    },
    streamSeconds: {
      kind: 'integer',
      min: 1,
      max: 3_600,
      unit: 'seconds',
      description:
        'Close the response stream of a call after this many seconds; the client reconnects and continues (protocol version 2025-11-25). For proxies that cut long responses. By default, a stream stays open until the call ends.',
    },
    history: {
      kind: 'choice',
      choices: ['on', 'off'],
      default: 'on',
      description:
        'Keep a history of searches and calls on disk, without arguments and results, for the inspector and `toolsearch history`.',
    },
    historyDays: {
      kind: 'integer',
      min: 1,
      max: 3_650,
      unit: 'days',
      default: 30,
      description: 'How long to keep the history, in days.',
    },
    historyMegabytes: {
      kind: 'integer',
      min: 1,
      max: 10_000,
      unit: 'megabytes',
      default: 50,
      description:
        'How much disk space the history may take, in megabytes. Beyond that, the oldest part is deleted.',
    },
    ...TEAM_PROPERTIES,
  },
  rejected: { pinDefinitions: 'Write "approve": "changed" instead.' },
}

export const EMBEDDER_RULES: ObjectRules<EmbedderEntry> = {
  properties: {
    url: {
      kind: 'text',
      url: HTTP_URL,
      example: 'a URL such as http://127.0.0.1:11434/v1',
      description:
        "The URL of a server with OpenAI's `/embeddings` API, up to the version: OpenAI, Ollama, LM Studio, vLLM.",
    },
    model: { kind: 'text', description: 'The name of the embedding model.' },
    apiKey: {
      kind: 'text',
      description: 'The API key. Write `${NAME}` and keep the key in that environment variable.',
    },
    centred: {
      kind: 'boolean',
      default: false,
      description:
        'Subtract the mean of all tools from every vector. Helps if the model finds all texts similar to each other, as gte and e5 models do.',
    },
  },
  rejected: {
    baseUrl: rename('url'),
    endpoint: rename('url'),
    api_key: rename('apiKey'),
    key: rename('apiKey'),
    dimensions: 'Remove it: the gateway learns it from the first vector.',
  },
}
