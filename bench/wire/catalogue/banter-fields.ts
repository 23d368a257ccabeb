import type { JsonSchema } from 'toolsearch'
import { choice, flag, integer, list, object, type Properties, text } from './json-schema.ts'

/** A channel, best by its id. */
export const channel: JsonSchema = text(
  'Channel id such as "C07QK2M4X". A name with a leading # is accepted for public channels ' +
    'but costs one more look-up and breaks when the channel is renamed.',
  { pattern: '^([CGD][0-9A-Z]{6,}|#[a-z0-9_-]{1,80})$' },
)

/** A message, by the moment it was posted. */
export const messageId: JsonSchema = text(
  'Id of the message: the seconds and microseconds at which it was posted, as in ' +
    '"1773237912.004519". Copy it as text, a number loses digits.',
  { pattern: '^\\d{10}\\.\\d{6}$' },
)

/** What people read. */
export const messageText: JsonSchema = text(
  'The message in Markdown: *bold*, _italic_, `code`, fenced blocks, > quotes, lists, ' +
    '[label](address). Mention people as <@U03H8T2LB>, channels as <#C07QK2M4X>, groups as ' +
    '<!group:oncall-payments>.',
  { minLength: 1, maxLength: 12000 },
)

/** A person, by id only. */
export const userId: JsonSchema = text(
  'User id such as "U03H8T2LB", from find_people. Names and addresses are not accepted.',
  { pattern: '^[UW][0-9A-Z]{6,}$' },
)

/** How a message looks and whom it reaches. */
export const delivery: Properties = {
  unfurl: object(
    {
      links: flag('Preview pages that are linked.', true),
      media: flag('Show linked pictures and films.', true),
    },
    [],
    'Previews below the message.',
  ),
  mentions: object(
    {
      expand_groups: flag(
        'Notify the members of mentioned groups. Refused for groups above 200 people.',
        true,
      ),
      allow_here: flag(
        'Let @here and @channel notify people. Leave off unless the user asked for it in so ' +
          'many words.',
        false,
      ),
    },
    [],
    'Whom mentions in the text may notify.',
  ),
  sender: object(
    {
      as: choice(
        ['app', 'user'],
        'Post under the name of the app, or of the signed-in user, who must have agreed to it.',
        'app',
      ),
      display_name: text('Name shown instead of that of the app.', { maxLength: 80 }),
      icon: text('Emoji such as ":rotating_light:", or the address of a square picture.'),
    },
    [],
    'Who appears as the sender.',
  ),
  metadata: object(
    {
      event_type: text('Name of the event in your app, for example "incident_opened".', {
        maxLength: 255,
      }),
      payload: {
        type: 'object',
        description:
          'Any JSON up to 8 kB. Not shown to people, returned when the message is read with ' +
          'include_metadata.',
        additionalProperties: true,
      },
    },
    ['event_type', 'payload'],
    'Data that travels with the message, so that your app can find it again.',
  ),
}

/** Files, old and new. */
export const attachments: JsonSchema = list(
  {
    description: 'One file.',
    oneOf: [
      object(
        { file_id: text('File uploaded before.', { pattern: '^F[0-9A-Z]{8,}$' }) },
        ['file_id'],
        'A file that is there already.',
      ),
      object(
        {
          name: text('File name with its ending.', { maxLength: 200 }),
          content: text('Content, up to 1 MB.'),
          encoding: choice(['utf-8', 'base64'], 'How content is written down.', 'utf-8'),
          title: text('Shown instead of the name.'),
        },
        ['name', 'content'],
        'A new file.',
      ),
      object(
        {
          url: text('Where the file can be fetched without signing in.', { format: 'uri' }),
          name: text('File name.'),
        },
        ['url'],
        'A file from elsewhere, linked and not copied.',
      ),
    ],
  },
  'Files shown below the message.',
  { maxItems: 10 },
)

/** Paging by cursor. */
export const cursor: Properties = {
  limit: integer(
    'How many entries to return. Fewer may come although there are more: only a missing ' +
      'next_cursor means the end.',
    { minimum: 1, maximum: 200, default: 50 },
  ),
  cursor: text('next_cursor of the previous answer, unchanged. Leave out for the first page.'),
}

/** How much of each message is returned. */
export const messageParts: Properties = {
  include_metadata: flag('Return the data apps attached to messages.', false),
  include_reactions: flag('Return reactions with the names of those who reacted.', false),
  include_blocks: flag(
    'Return rich parts as data. They are flattened to text otherwise, which is shorter and ' +
      'usually enough.',
    false,
  ),
  resolve_names: flag('Replace user and channel ids in the text by names.', true),
  max_characters: integer('Cut each message at this length and mark it.', {
    minimum: 100,
    maximum: 40000,
    default: 4000,
  }),
}

/** A span of time, for messages. */
export const timeSpan: Properties = {
  oldest: text('Only messages after this moment: ISO 8601 with time zone, or a message id.'),
  latest: text('Only messages before this moment, written the same way. Now when left out.'),
  inclusive: flag('Count messages exactly at oldest and latest in.', false),
}
