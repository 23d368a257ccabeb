import { blocks } from './banter-blocks.ts'
import { attachments, channel, delivery, messageId, messageText, userId } from './banter-fields.ts'
import { choice, flag, lines, list, object, text } from './json-schema.ts'
import type { ServerTool } from './server-tools.ts'

/** Tools of Banter, an imaginary team chat, for writing messages. */
export const messageTools: readonly ServerTool[] = [
  {
    name: 'send_message',
    description: lines(
      'Post a message to a channel, into a thread, or to one or several people directly. It ' +
        'appears at once and everyone mentioned is notified.',
      '',
      'Before you post:',
      '- Show the user the text and the destination unless they have already told you both. ' +
        'A message can be deleted but notifications cannot be called back.',
      '- Answer in a thread (thread_id) when you react to something; post to the channel ' +
        'only what everyone there should read.',
      '- The app must be a member of a private channel. On not_in_channel ask someone to ' +
        'invite it, do not create another channel.',
      '- One message a second for each channel; on rate_limited wait for retry_after ' +
        'seconds. Do not split a long text into many messages, attach a file.',
      '',
      'For text only, give text. For fields, buttons or tables add blocks. To post later use ' +
        'schedule_message, to correct a message use update_message.',
      'Returns channel id, message id and permanent link. Keep the message id: replies and ' +
        'updates need it.',
    ),
    inputSchema: object(
      {
        to: {
          description: 'Where the message goes.',
          oneOf: [
            object({ channel }, ['channel'], 'A channel.'),
            object(
              {
                users: list(
                  userId,
                  'One person opens a direct conversation, several open a group.',
                  { minItems: 1, maxItems: 8, uniqueItems: true },
                ),
              },
              ['users'],
              'People.',
            ),
          ],
        },
        text: messageText,
        thread_id: {
          ...messageId,
          description:
            'Answer in the thread of this message. Id as text, such as "1773237912.004519".',
        },
        also_to_channel: flag(
          'For a reply in a thread: show it in the channel as well. Use it for conclusions only.',
          false,
        ),
        blocks: blocks('Rich parts, from top to bottom.', 50),
        attachments,
        urgent: flag(
          'Get through do-not-disturb. Limited to three a day for each recipient; for pages, ' +
            'not for questions.',
          false,
        ),
        pin: flag('Pin the message to the channel.', false),
        ...delivery,
        client_key: text(
          'Any string of your choice. A second call with the same key within an hour returns ' +
            'the first message instead of posting twice.',
          { maxLength: 64 },
        ),
      },
      ['to', 'text'],
    ),
    annotations: { title: 'Send message', destructiveHint: false, openWorldHint: true },
  },
  {
    name: 'schedule_message',
    description: lines(
      'Write a message now and have it posted later, once or repeatedly; or list and cancel ' +
        'what is waiting.',
      'The time is that of the given time zone and moves with daylight saving. A scheduled ' +
        'message is posted under the rights you have at that time: if you leave the channel, ' +
        'it is dropped and you are told. Messages due within two minutes cannot be cancelled ' +
        'any more.',
      'Check the local time of the recipients with find_people before you pick an hour.',
      'Errors worth handling: time_in_past, too_soon, too_far, not_in_channel, ' +
        'channel_archived, too_many_scheduled (30 in one channel within five minutes).',
    ),
    inputSchema: object(
      {
        action: {
          description: 'What to do.',
          oneOf: [
            object(
              {
                do: { const: 'create', description: 'Schedule a new message.' },
                channel,
                text: messageText,
                thread_id: {
                  ...messageId,
                  description:
                    'Answer in the thread of this message. Id as text, such as ' +
                    '"1773237912.004519".',
                },
                blocks: blocks('Rich parts of the later message.', 50),
                attachments,
                at: text(
                  'When to post, local to time_zone, as YYYY-MM-DDTHH:mm. At least two ' +
                    'minutes and at most 120 days ahead.',
                  { pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$' },
                ),
                time_zone: text(
                  'IANA name, for example "Europe/Lisbon". That of the user when left out.',
                ),
                repeat: object(
                  {
                    every: choice(['day', 'weekday', 'week', 'two_weeks', 'month'], 'How often.'),
                    on: list(
                      choice(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], 'Day of the week.'),
                      'For weeks: on which days.',
                      { uniqueItems: true },
                    ),
                    until: text('Last day.', { format: 'date' }),
                    skip_holidays: flag('Leave out the public holidays of the workspace.', true),
                  },
                  ['every'],
                  'Post again and again. Once when left out.',
                ),
                ...delivery,
              },
              ['do', 'channel', 'text', 'at'],
            ),
            object(
              {
                do: { const: 'list', description: 'Show what is waiting.' },
                channel,
                before: text('Only what is due before this day.', { format: 'date' }),
              },
              ['do'],
            ),
            object(
              {
                do: { const: 'cancel', description: 'Drop one that is waiting.' },
                scheduled_id: text('Id returned by create or list.', { pattern: '^Q[0-9A-Z]+$' }),
                only_next: flag('For repeated messages: skip one time only.', false),
              },
              ['do', 'scheduled_id'],
            ),
          ],
        },
      },
      ['action'],
    ),
    annotations: { title: 'Schedule message', destructiveHint: false },
  },
  {
    name: 'update_message',
    description: lines(
      'Change the text or the rich parts of a message the app has posted, or delete it. What ' +
        'you give replaces what was there; what you leave out stays, except that new text ' +
        'without blocks removes the old blocks unless keep_blocks is set.',
      'People are not notified of a change, and mentions added by it notify nobody: post a ' +
        'reply when they should know. An "edited" mark is shown. Use it for messages that ' +
        'track a state, such as the head message of an incident or a deployment.',
      'Messages of others cannot be changed (not_author). Workspaces may forbid changes ' +
        'after a while (edit_window_closed).',
      'Errors worth handling: not_author, edit_window_closed, message_not_found (also for ' +
        'messages that were deleted), too_long after appending.',
    ),
    inputSchema: object(
      {
        channel,
        message_id: messageId,
        change: choice(
          ['replace', 'append', 'delete'],
          'Replace the message, add text at its end, or remove it together with its files. A ' +
            'deleted head message leaves its thread standing.',
          'replace',
        ),
        text: messageText,
        blocks: blocks('New rich parts. An empty list removes them.', 50),
        keep_blocks: flag('Keep the old rich parts below the new text.', false),
        attachments,
        metadata: delivery.metadata!,
        broadcast_reason: text('Posted as a reply, to tell why the message changed.', {
          maxLength: 300,
        }),
      },
      ['channel', 'message_id'],
    ),
    annotations: { title: 'Update message', destructiveHint: true, idempotentHint: true },
  },
  {
    name: 'add_reaction',
    description:
      'Add an emoji reaction to a message, or take your own away. Nobody is notified except ' +
      'the author. Useful as a quiet sign that something was seen ("eyes") or is done ' +
      '("white_check_mark").',
    inputSchema: object(
      {
        channel,
        message_id: messageId,
        emoji: text(
          'Name without colons, custom emoji of the workspace included. Skin tones as ' +
            '"wave::skin-tone-3".',
          { pattern: '^[a-z0-9_+:-]{1,100}$' },
        ),
        remove: flag('Take the reaction away.', false),
      },
      ['channel', 'message_id', 'emoji'],
    ),
    annotations: { title: 'Add reaction', destructiveHint: false, idempotentHint: true },
  },
]
