import { blocks, inputElement, inputOption } from './banter-blocks.ts'
import { channel, messageText, userId } from './banter-fields.ts'
import { choice, flag, integer, lines, list, object, text } from './json-schema.ts'
import type { ServerTool } from './server-tools.ts'

/** Tools of Banter for what outlives a message: channels, documents, forms. */
export const spaceTools: readonly ServerTool[] = [
  {
    name: 'create_channel',
    description: lines(
      'Create a channel, set topic and purpose, invite people and groups, and add links. For ' +
        'incidents, projects, customers.',
      '',
      'Search first whether one exists: names stay taken after archiving (name_taken tells ' +
        'whether the owner of the name is archived and can be brought back with unarchive). ' +
        'Workspaces have naming rules; incident channels usually are "inc-YYYYMMDD-words". ' +
        'Guests can only be invited to channels that allow them.',
      'Everyone invited is notified. Invitations that fail do not undo the channel; they are ' +
        'listed in the answer with the reason.',
      'Errors worth handling: name_taken, name_not_allowed with the pattern of the ' +
        'workspace, group_unknown, guests_not_allowed, limit_reached (workspaces may cap new ' +
        'channels a day; ask an administrator).',
    ),
    inputSchema: object(
      {
        name: text('Lower case letters, digits, hyphens and underscores.', {
          pattern: '^[a-z0-9_-]{1,80}$',
        }),
        private: flag(
          'Only invited people can find it. Public channels can be made private later, never ' +
            'the other way round.',
          false,
        ),
        purpose: text('One line that tells what belongs here.', { maxLength: 250 }),
        topic: text(
          'Line at the top of the channel. Changes often, for example with the state of an ' +
            'incident.',
          { maxLength: 250 },
        ),
        invite: object(
          {
            users: list(userId, 'People.', { maxItems: 100 }),
            groups: list(
              text('Handle of a user group without @, for example "oncall-payments".'),
              'All members of these groups as of now.',
              { maxItems: 10 },
            ),
            emails: list(
              text('Address of someone outside the workspace.', { format: 'email' }),
              'Guests. Needs the right to invite guests.',
              { maxItems: 20 },
            ),
          },
          [],
          'Who is added at once.',
        ),
        links: list(
          object(
            {
              title: text('Text of the link.', { maxLength: 60 }),
              url: text('Where it leads.', { format: 'uri' }),
              emoji: text('Icon in front, without colons.'),
            },
            ['title', 'url'],
          ),
          'Links in the bar at the top, such as dashboard, run book and video call.',
          { maxItems: 20 },
        ),
        posting: choice(
          ['everyone', 'managers', 'managers_threads_open'],
          'Who may start messages. With the last, everyone may reply in threads.',
          'everyone',
        ),
        retention_days: {
          description:
            'Delete messages after so many days. The rule of the workspace when left out; ' +
            'null keeps them.',
          anyOf: [{ type: 'integer', minimum: 1, maximum: 3650 }, { type: 'null' }],
        },
        unarchive: flag(
          'When an archived channel has the name: bring it back instead of failing.',
          false,
        ),
        welcome_message: messageText,
      },
      ['name'],
    ),
    annotations: { title: 'Create channel', destructiveHint: false },
  },
  {
    name: 'write_canvas',
    description: lines(
      'Create a canvas, a shared document that lives in a channel, or change parts of one. ' +
        'For notes that outlive the conversation: incident timelines, meeting minutes, ' +
        'decisions, run books.',
      '',
      'To change a canvas, name the section by its heading; the text between that heading ' +
        'and the next of the same level is replaced, extended or removed, and the rest is ' +
        'untouched, so several people and apps can write at the same time. A heading that ' +
        'occurs twice is refused with ambiguous_section.',
      'History is kept for a year and can be restored by people in the app. Members of the ' +
        'channel can read and edit unless access says otherwise.',
      'Errors worth handling: section_not_found (with the headings there are), ' +
        'ambiguous_section, revision_changed (read again, then retry), tab_taken, too_long (a ' +
        'canvas holds 500,000 characters; start another and link it).',
    ),
    inputSchema: object(
      {
        target: {
          description: 'A new canvas or an existing one.',
          oneOf: [
            object(
              {
                create_in: channel,
                title: text('Title of the document.', { minLength: 1, maxLength: 200 }),
                as_channel_tab: flag(
                  'Show it as a tab of the channel. One for each channel.',
                  false,
                ),
              },
              ['create_in', 'title'],
              'A new canvas.',
            ),
            object(
              { canvas_id: text('Id from its link.', { pattern: '^V[0-9A-Z]{8,}$' }) },
              ['canvas_id'],
              'One that exists.',
            ),
          ],
        },
        operations: list(
          {
            oneOf: [
              object(
                {
                  do: { const: 'write' },
                  where: choice(['start', 'end', 'replace_all'], 'Where in the document.', 'end'),
                  blocks: blocks('Content.', 200),
                },
                ['do', 'blocks'],
                'Write to the document as a whole.',
              ),
              object(
                {
                  do: { const: 'section' },
                  heading: text('Heading of the section, without #.'),
                  change: choice(
                    ['replace', 'append', 'prepend', 'remove'],
                    'What to do with its content.',
                  ),
                  markdown: text('New content in Markdown. Not for "remove".', {
                    maxLength: 50000,
                  }),
                },
                ['do', 'heading', 'change'],
                'Change one section.',
              ),
              object(
                {
                  do: { const: 'task' },
                  text: text('What is to be done.', { maxLength: 300 }),
                  assignee: userId,
                  due: text('Due day.', { format: 'date' }),
                  done: flag('Tick it off.', false),
                },
                ['do', 'text'],
                'Add a task, or tick off the one with the same text.',
              ),
            ],
          },
          'Steps in order. All or none.',
          { minItems: 1, maxItems: 50 },
        ),
        access: object(
          {
            level: choice(
              ['read', 'comment', 'edit'],
              'What members of the channel may do.',
              'edit',
            ),
            also: list(
              object(
                {
                  user: userId,
                  level: choice(['read', 'comment', 'edit'], 'What this person may do.'),
                },
                ['user', 'level'],
              ),
              'Further people.',
              { maxItems: 50 },
            ),
          },
          [],
          'Who may do what. Unchanged when left out.',
        ),
        expected_revision: integer(
          'Revision you read. The call fails when the canvas has changed since.',
          { minimum: 1 },
        ),
      },
      ['target', 'operations'],
    ),
    annotations: { title: 'Write canvas', destructiveHint: true },
  },
  {
    name: 'post_form',
    description: lines(
      'Ask people something in a structured way: post a form to a channel or to people, with ' +
        'questions they answer in a window, and collect the answers. For polls, sign-ups, ' +
        'check-ins, approvals.',
      '',
      'Answers can be read with read_thread of the form message, one reply for each person, ' +
        'or are sent to a webhook. Anonymous forms show totals only, and only from three ' +
        'answers on. A form closes at closes_at or when everyone asked has answered.',
      'Ask as little as possible: seven questions are plenty. Never ask for passwords, ' +
        'health or bank data; such forms are taken down.',
      'Errors worth handling: too_many_recipients, duplicate_question_id, show_if_unknown ' +
        '(it must point at an earlier question), webhook_not_allowed.',
    ),
    inputSchema: object(
      {
        channel,
        recipients: list(userId, 'Who is asked. Everyone in the channel when left out.', {
          maxItems: 500,
        }),
        title: text('Heading of the form.', { minLength: 1, maxLength: 100 }),
        introduction: text('Shown above the questions, in Markdown.', { maxLength: 3000 }),
        questions: list(
          object(
            {
              id: text('Your name for the question, unique in the form.', {
                pattern: '^[a-z0-9_]{1,40}$',
              }),
              label: text('The question.', { maxLength: 200 }),
              help: text('Small text below it.', { maxLength: 500 }),
              required: flag('The form cannot be sent without an answer.', true),
              answer: {
                description: 'How it is answered.',
                oneOf: [
                  object(
                    {
                      as: { const: 'text' },
                      multiline: flag('Several lines.', false),
                      min_length: integer('Fewest characters.', { minimum: 0 }),
                      max_length: integer('Most characters.', { minimum: 1, maximum: 3000 }),
                      must_be: choice(
                        ['any', 'email', 'url', 'number'],
                        'Check of what is typed.',
                        'any',
                      ),
                    },
                    ['as'],
                    'Free text.',
                  ),
                  object(
                    {
                      as: { const: 'scale' },
                      from: integer('Lowest value.', { default: 1 }),
                      to: integer('Highest value.', { default: 5 }),
                      from_label: text('Meaning of the lowest.'),
                      to_label: text('Meaning of the highest.'),
                    },
                    ['as'],
                    'A number on a scale.',
                  ),
                  object(
                    {
                      as: { const: 'ranking' },
                      options: list(inputOption, 'Entries to put in order.', {
                        minItems: 2,
                        maxItems: 12,
                      }),
                    },
                    ['as', 'options'],
                    'An order of preference.',
                  ),
                  object(
                    { as: { const: 'element' }, element: inputElement },
                    ['as', 'element'],
                    'A menu, a picker or check boxes.',
                  ),
                ],
              },
              show_if: object(
                {
                  question: text('Id of an earlier question.'),
                  equals: text('Answer it must have.'),
                },
                ['question', 'equals'],
                'Ask only after a certain answer.',
              ),
            },
            ['id', 'label', 'answer'],
          ),
          'Questions in order.',
          { minItems: 1, maxItems: 30 },
        ),
        submit_label: text('Label of the button that sends the form.', {
          maxLength: 24,
          default: 'Send',
        }),
        closes_at: text('When it stops taking answers.', { format: 'date-time' }),
        anonymous: flag('Do not record who answered what.', false),
        results: choice(
          ['author', 'participants', 'channel'],
          'Who may see the answers.',
          'author',
        ),
        remind_after_hours: integer('Remind those who have not answered, once.', {
          minimum: 1,
          maximum: 168,
        }),
        webhook: text(
          'Address that receives each answer as JSON. Must be on the list of the workspace.',
          { format: 'uri' },
        ),
      },
      ['channel', 'title', 'questions'],
    ),
    annotations: { title: 'Post form', destructiveHint: false, openWorldHint: true },
  },
]
