import type { ToolDefinition } from 'toolsearch'

const emails = { type: 'array', items: { type: 'string', format: 'email' }, maxItems: 100 }

const messageIds = {
  type: 'array',
  items: { type: 'string' },
  minItems: 1,
  maxItems: 500,
  description: 'Ids of the messages, as returned by search_mail.',
}

// what a letter is made of, whether it is sent or kept as a draft
const letter = {
  to: { ...emails, description: 'Main recipients.' },
  cc: { ...emails, description: 'Recipients everyone can see in copy.' },
  bcc: { ...emails, description: 'Recipients nobody else can see.' },
  subject: { type: 'string', maxLength: 250 },
  body: { type: 'string', description: 'Text of the message, in the format named by body_format.' },
  body_format: { type: 'string', enum: ['plain', 'markdown', 'html'], default: 'plain' },
  reply_to_message_id: {
    type: 'string',
    description: 'Answer this message and stay in its thread.',
  },
  attachments: {
    type: 'array',
    maxItems: 20,
    items: {
      type: 'object',
      description: 'Give either content or url.',
      properties: {
        filename: { type: 'string' },
        content: { type: 'string', contentEncoding: 'base64' },
        url: {
          type: 'string',
          format: 'uri',
          description: 'Fetched when the message is sent. 25 MB at most.',
        },
        inline: {
          type: 'boolean',
          default: false,
          description: 'Show it in the body instead of below it.',
        },
      },
      required: ['filename'],
    },
  },
}

/** Tools of Postbird, an imaginary mailbox: reading, writing, filing. */
export const mailTools: readonly ToolDefinition[] = [
  {
    name: 'mcp__mail__search_mail',
    description:
      'Search the mailbox by words, people, dates, labels and more. Every condition given ' +
      'must hold. Returns one line for each message with sender, subject, date and a short ' +
      'excerpt; use read_mail for the text.',
    source: 'mcp:mail',
    searchHint: 'email inbox unread find letter',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'Words in subject or body.' },
        from: { type: 'string', description: 'Address, domain or name of the sender.' },
        to: { type: 'string', description: 'Address, domain or name of a recipient.' },
        subject: { type: 'string', description: 'Words in the subject alone.' },
        after: { type: 'string', format: 'date' },
        before: { type: 'string', format: 'date' },
        labels: {
          type: 'array',
          items: { type: 'string' },
          description: 'Labels the message must carry.',
        },
        folder: {
          type: 'string',
          enum: ['inbox', 'sent', 'drafts', 'archive', 'spam', 'trash', 'anywhere'],
          default: 'anywhere',
        },
        unread: {
          type: 'boolean',
          description: 'True for unread messages only, false for read ones only.',
        },
        has_attachment: { type: 'boolean' },
        larger_than_kb: { type: 'integer', minimum: 1 },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
        page_token: { type: 'string', description: 'next_page_token of the previous answer.' },
      },
    },
    annotations: { title: 'Search mail', readOnlyHint: true },
  },
  {
    name: 'mcp__mail__read_mail',
    description:
      'Read one message, or the whole thread it belongs to. Quoted earlier text and ' +
      'signatures are left out unless asked for.',
    source: 'mcp:mail',
    inputSchema: {
      type: 'object',
      properties: {
        message_id: { type: 'string' },
        whole_thread: { type: 'boolean', default: false },
        keep_quotes: { type: 'boolean', default: false },
        format: { type: 'string', enum: ['plain', 'markdown', 'html'], default: 'markdown' },
      },
      required: ['message_id'],
    },
    annotations: { title: 'Read mail', readOnlyHint: true },
  },
  {
    name: 'mcp__mail__send_mail',
    description:
      'Send an email now, or at a later time. A sent email cannot be called back, so use ' +
      'create_draft when the user has not seen the text. Returns the message id and the ' +
      'thread id.',
    source: 'mcp:mail',
    inputSchema: {
      type: 'object',
      properties: {
        ...letter,
        from_alias: {
          type: 'string',
          format: 'email',
          description: "One of the user's own other addresses.",
        },
        send_at: {
          type: 'string',
          format: 'date-time',
          description: 'Send at this time instead of now.',
        },
        importance: { type: 'string', enum: ['low', 'normal', 'high'], default: 'normal' },
        request_read_receipt: { type: 'boolean', default: false },
      },
      required: ['to', 'subject', 'body'],
    },
    annotations: { title: 'Send mail', destructiveHint: true, openWorldHint: true },
  },
  {
    name: 'mcp__mail__create_draft',
    description:
      'Save an email as a draft for the user to check and send. Nothing leaves the mailbox. ' +
      'Returns the draft id and a link that opens it.',
    source: 'mcp:mail',
    inputSchema: { type: 'object', properties: letter, required: ['body'] },
    annotations: { title: 'Create draft', destructiveHint: false },
  },
  {
    name: 'mcp__mail__label_mail',
    description:
      'Add labels to messages and take labels off them. A label that does not exist yet is ' +
      'created.',
    source: 'mcp:mail',
    inputSchema: {
      type: 'object',
      properties: {
        message_ids: messageIds,
        add: { type: 'array', items: { type: 'string' } },
        remove: { type: 'array', items: { type: 'string' } },
      },
      required: ['message_ids'],
    },
    annotations: { title: 'Label mail', destructiveHint: false, idempotentHint: true },
  },
  {
    name: 'mcp__mail__move_mail',
    description:
      'Archive messages, mark them as spam, move them to the trash or bring them back. Trash ' +
      'is emptied after 30 days.',
    source: 'mcp:mail',
    inputSchema: {
      type: 'object',
      properties: {
        message_ids: messageIds,
        destination: { type: 'string', enum: ['inbox', 'archive', 'spam', 'trash'] },
        mark_as_read: { type: 'boolean', default: false },
      },
      required: ['message_ids', 'destination'],
    },
    annotations: { title: 'Move mail', destructiveHint: true, idempotentHint: true },
  },
  {
    name: 'mcp__mail__get_attachment',
    description:
      'Download an attachment. Text, PDF and office documents can be returned as plain text.',
    source: 'mcp:mail',
    inputSchema: {
      type: 'object',
      properties: {
        message_id: { type: 'string' },
        attachment_id: { type: 'string' },
        as: { type: 'string', enum: ['base64', 'text', 'temporary_url'], default: 'text' },
      },
      required: ['message_id', 'attachment_id'],
    },
    annotations: { title: 'Get attachment', readOnlyHint: true },
  },
  {
    name: 'mcp__mail__create_filter',
    description:
      'Create a rule that acts on incoming mail by itself. All conditions must hold for the ' +
      'actions to run. Try the same conditions in search_mail first to see what the rule ' +
      'would catch.',
    source: 'mcp:mail',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', maxLength: 100 },
        conditions: {
          type: 'object',
          minProperties: 1,
          properties: {
            from: { type: 'string', description: 'Address or domain of the sender.' },
            to: { type: 'string' },
            subject_contains: { type: 'string' },
            body_contains: { type: 'string' },
            has_attachment: { type: 'boolean' },
            is_mailing_list: { type: 'boolean' },
          },
          additionalProperties: false,
        },
        actions: {
          type: 'object',
          minProperties: 1,
          properties: {
            add_labels: { type: 'array', items: { type: 'string' } },
            skip_inbox: { type: 'boolean' },
            mark_as_read: { type: 'boolean' },
            star: { type: 'boolean' },
            forward_to: {
              type: 'string',
              format: 'email',
              description: 'Address the user has confirmed before.',
            },
            move_to_trash: { type: 'boolean' },
          },
          additionalProperties: false,
        },
        apply_to_existing: {
          type: 'boolean',
          default: false,
          description: 'Run once over the mail already there.',
        },
      },
      required: ['conditions', 'actions'],
    },
    annotations: { title: 'Create filter', destructiveHint: true },
  },
  {
    name: 'mcp__mail__set_auto_reply',
    description: 'Turn the automatic answer on or off, for holidays and absences.',
    source: 'mcp:mail',
    searchHint: 'vacation out of office responder',
    inputSchema: {
      type: 'object',
      properties: {
        enabled: { type: 'boolean' },
        subject: { type: 'string' },
        body: { type: 'string' },
        first_day: { type: 'string', format: 'date' },
        last_day: { type: 'string', format: 'date' },
        audience: {
          type: 'string',
          enum: ['everyone', 'contacts', 'same_domain'],
          default: 'everyone',
        },
      },
      required: ['enabled'],
    },
    annotations: { title: 'Set automatic reply', destructiveHint: false, idempotentHint: true },
  },
]
