import type { ToolDefinition } from 'toolsearch'

const channel = {
  type: 'string',
  description: 'Channel id such as "C04K2", or its name with a leading #.',
}

const messageId = {
  type: 'string',
  description: 'Id of the message, as returned by read_channel or search_messages.',
}

const page = {
  limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
  cursor: { type: 'string', description: 'next_cursor of the previous answer.' },
}

/** Tools of Parlour, an imaginary team chat: channels, threads, people. */
export const chatTools: readonly ToolDefinition[] = [
  {
    name: 'mcp__chat__send_message',
    description:
      'Post a message to a channel, a thread, or a person. The message appears at once under ' +
      'the name of the signed-in user and everyone mentioned is notified. Returns the message ' +
      'id and a link. To post later, use schedule_message.',
    source: 'mcp:chat',
    inputSchema: {
      type: 'object',
      properties: {
        to: {
          type: 'object',
          description: 'Where the message goes. Give exactly one of channel and users.',
          properties: {
            channel,
            users: {
              type: 'array',
              items: { type: 'string' },
              minItems: 1,
              maxItems: 8,
              description: 'User ids. One opens a direct message, several open a group.',
            },
          },
        },
        text: {
          type: 'string',
          maxLength: 12000,
          description: 'Message in Markdown. Mention people as <@user_id>.',
        },
        thread_id: { type: 'string', description: 'Reply in the thread of this message.' },
        also_to_channel: {
          type: 'boolean',
          default: false,
          description: 'Show a thread reply in the channel as well.',
        },
        blocks: {
          type: 'array',
          maxItems: 30,
          description: 'Rich parts shown below the text, in order.',
          items: {
            type: 'object',
            properties: {
              kind: {
                type: 'string',
                enum: ['heading', 'text', 'fields', 'image', 'divider', 'buttons'],
              },
              text: { type: 'string', description: 'For "heading" and "text".' },
              fields: {
                type: 'array',
                maxItems: 10,
                description: 'For "fields": label and value pairs in two columns.',
                items: {
                  type: 'object',
                  properties: { label: { type: 'string' }, value: { type: 'string' } },
                  required: ['label', 'value'],
                },
              },
              image_url: { type: 'string', format: 'uri', description: 'For "image".' },
              alt_text: {
                type: 'string',
                description: 'For "image": what it shows, for those who cannot see it.',
              },
              buttons: {
                type: 'array',
                maxItems: 5,
                description: 'For "buttons": links to open.',
                items: {
                  type: 'object',
                  properties: {
                    label: { type: 'string', maxLength: 40 },
                    url: { type: 'string', format: 'uri' },
                    style: {
                      type: 'string',
                      enum: ['plain', 'primary', 'danger'],
                      default: 'plain',
                    },
                  },
                  required: ['label', 'url'],
                },
              },
            },
            required: ['kind'],
          },
        },
        attachments: {
          type: 'array',
          items: { type: 'string' },
          maxItems: 10,
          description: 'Ids of files uploaded before.',
        },
        unfurl_links: {
          type: 'boolean',
          default: true,
          description: 'Show a preview of linked pages.',
        },
      },
      required: ['to', 'text'],
    },
    annotations: { title: 'Send message', destructiveHint: false, openWorldHint: true },
  },
  {
    name: 'mcp__chat__schedule_message',
    description:
      'Write a message now and have it posted later. Returns an id with which the message can ' +
      'be cancelled until it goes out.',
    source: 'mcp:chat',
    inputSchema: {
      type: 'object',
      properties: {
        channel,
        text: { type: 'string', maxLength: 12000, description: 'Message in Markdown.' },
        send_at: {
          type: 'string',
          format: 'date-time',
          description: 'At least one minute and at most 120 days ahead.',
        },
        thread_id: { type: 'string' },
      },
      required: ['channel', 'text', 'send_at'],
    },
    annotations: { title: 'Schedule message', destructiveHint: false },
  },
  {
    name: 'mcp__chat__read_channel',
    description:
      'Read the messages of a channel or direct conversation, newest first. Thread replies ' +
      'are counted, not included; use read_thread for them.',
    source: 'mcp:chat',
    inputSchema: {
      type: 'object',
      properties: {
        channel,
        oldest: {
          type: 'string',
          format: 'date-time',
          description: 'Only messages after this moment.',
        },
        latest: {
          type: 'string',
          format: 'date-time',
          description: 'Only messages before this moment.',
        },
        unread_only: { type: 'boolean', default: false },
        ...page,
      },
      required: ['channel'],
    },
    annotations: { title: 'Read channel', readOnlyHint: true },
  },
  {
    name: 'mcp__chat__read_thread',
    description: 'Read a thread from its first message to its last reply.',
    source: 'mcp:chat',
    inputSchema: {
      type: 'object',
      properties: { channel, message_id: messageId, ...page },
      required: ['channel', 'message_id'],
    },
    annotations: { title: 'Read thread', readOnlyHint: true },
  },
  {
    name: 'mcp__chat__search_messages',
    description:
      'Search messages across every channel the signed-in user has joined. Use it to find who ' +
      'said something or where a decision was taken. Returns excerpts with sender, channel, ' +
      'time and link, best match first.',
    source: 'mcp:chat',
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          description: 'Words to look for. Quote a phrase to match it exactly.',
        },
        from: { type: 'string', description: 'User id of the sender, or "me".' },
        in_channels: { type: 'array', items: channel, maxItems: 10 },
        after: { type: 'string', format: 'date' },
        before: { type: 'string', format: 'date' },
        has: {
          type: 'array',
          uniqueItems: true,
          items: { type: 'string', enum: ['link', 'file', 'reaction', 'pin', 'code'] },
          description: 'Only messages with all of these.',
        },
        include_threads: { type: 'boolean', default: true },
        sort: { type: 'string', enum: ['relevance', 'newest', 'oldest'], default: 'relevance' },
        ...page,
      },
      required: ['query'],
    },
    annotations: { title: 'Search messages', readOnlyHint: true },
  },
  {
    name: 'mcp__chat__add_reaction',
    description: 'Add an emoji reaction to a message.',
    source: 'mcp:chat',
    inputSchema: {
      type: 'object',
      properties: {
        channel,
        message_id: messageId,
        emoji: { type: 'string', description: 'Name without colons, for example "eyes".' },
      },
      required: ['channel', 'message_id', 'emoji'],
    },
    annotations: { title: 'Add reaction', destructiveHint: false, idempotentHint: true },
  },
  {
    name: 'mcp__chat__create_channel',
    description:
      'Create a channel and invite people to it. Check with list_channels that none serves ' +
      'the purpose already: names stay taken even after a channel is archived.',
    source: 'mcp:chat',
    inputSchema: {
      type: 'object',
      properties: {
        name: {
          type: 'string',
          pattern: '^[a-z0-9_-]{1,80}$',
          description: 'Lower case letters, digits, hyphens and underscores.',
        },
        purpose: {
          type: 'string',
          maxLength: 250,
          description: 'One line that tells what belongs here.',
        },
        private: {
          type: 'boolean',
          default: false,
          description: 'Only invited people can see it. Cannot be changed back.',
        },
        invite: { type: 'array', items: { type: 'string' }, description: 'User ids to invite.' },
      },
      required: ['name'],
    },
    annotations: { title: 'Create channel', destructiveHint: false },
  },
  {
    name: 'mcp__chat__list_channels',
    description:
      'List channels with their purpose, number of members and time of the last message.',
    source: 'mcp:chat',
    inputSchema: {
      type: 'object',
      properties: {
        name_contains: { type: 'string' },
        kinds: {
          type: 'array',
          uniqueItems: true,
          items: { type: 'string', enum: ['public', 'private', 'group', 'direct'] },
          default: ['public'],
        },
        joined_only: { type: 'boolean', default: false },
        include_archived: { type: 'boolean', default: false },
        ...page,
      },
    },
    annotations: { title: 'List channels', readOnlyHint: true },
  },
  {
    name: 'mcp__chat__find_people',
    description:
      'Find people in the workspace by name, email, team or job title. Returns user ids, ' +
      'which the other chat tools need, with local time and status.',
    source: 'mcp:chat',
    searchHint: 'user lookup colleague directory who is',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'Part of a name, email address, team or title.' },
        include_guests: { type: 'boolean', default: false },
        include_deactivated: { type: 'boolean', default: false },
        limit: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
      },
      required: ['query'],
    },
    annotations: { title: 'Find people', readOnlyHint: true },
  },
]
