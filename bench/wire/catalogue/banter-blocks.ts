import type { JsonSchema } from 'toolsearch'
import { choice, flag, integer, lines, list, object, text } from './json-schema.ts'

function kind(value: string, description: string): JsonSchema {
  return { const: value, description }
}

const label = text('Plain text, :names: become emoji.', { minLength: 1, maxLength: 75 })

const option = object(
  {
    label,
    value: text('What your app receives when it is chosen.', { maxLength: 150 }),
    hint: text('Second line in smaller type.', { maxLength: 75 }),
  },
  ['label', 'value'],
  'One entry to choose from.',
)

const confirmation = object(
  {
    title: text('Heading of the question.', { maxLength: 100 }),
    text: text('The question itself, in Markdown.', { maxLength: 300 }),
    confirm: text('Label of the button that goes on.', { maxLength: 30 }),
    deny: text('Label of the button that goes back.', { maxLength: 30 }),
    style: choice(['primary', 'danger'], 'Colour of the button that goes on.', 'primary'),
  },
  ['title', 'text', 'confirm', 'deny'],
  'Question shown before the action is carried out. Use it for anything that cannot be undone.',
)

const actionId = text(
  'Your name for the action, unique in the message. Sent back with the event.',
  { maxLength: 255 },
)

const placeholder = text('Grey text shown while nothing is chosen.', { maxLength: 150 })

const button = object(
  {
    kind: kind('button', 'A button.'),
    action_id: actionId,
    label,
    value: text('Sent to your app with the event.', { maxLength: 2000 }),
    url: text('Page to open in the browser. The event is sent all the same.', {
      format: 'uri',
      maxLength: 3000,
    }),
    style: choice(
      ['default', 'primary', 'danger'],
      'Colour. At most one primary button in a message.',
      'default',
    ),
    accessibility_label: text('Longer text for screen readers.', { maxLength: 75 }),
    confirm: confirmation,
  },
  ['kind', 'action_id', 'label'],
)

const toggles = object(
  {
    kind: kind('toggles', 'Check boxes or radio buttons.'),
    action_id: actionId,
    options: list(option, 'Entries.', { minItems: 1, maxItems: 10 }),
    exclusive: flag('Radio buttons: one choice only.', false),
    initial: list(text('Value of an entry.'), 'Ticked from the start.'),
  },
  ['kind', 'action_id', 'options'],
)

const elements: readonly JsonSchema[] = [
  button,
  object(
    {
      kind: kind('select', 'A menu to choose one or several entries from.'),
      action_id: actionId,
      source: {
        description: 'Where the entries come from.',
        oneOf: [
          object(
            {
              from: { const: 'options' },
              options: list(option, 'The entries.', { minItems: 1, maxItems: 100 }),
            },
            ['from', 'options'],
            'Entries given here.',
          ),
          object(
            { from: { const: 'people' }, include_guests: flag('Offer guests too.', false) },
            ['from'],
            'Members of the workspace.',
          ),
          object(
            {
              from: { const: 'channels' },
              visibility: choice(
                ['public', 'private', 'both'],
                'Which channels to offer.',
                'public',
              ),
            },
            ['from'],
            'Channels the person can see.',
          ),
        ],
      },
      multiple: flag('Allow several choices.', false),
      max_selected: integer('Most entries that can be chosen when several are allowed.', {
        minimum: 1,
        maximum: 100,
      }),
      initial: list(text('Value, user id or channel id.'), 'Chosen from the start.'),
      placeholder,
    },
    ['kind', 'action_id', 'source'],
  ),
  object(
    {
      kind: kind('date_time', 'A picker for a date, a time or both.'),
      action_id: actionId,
      pick: choice(['date', 'time', 'date_time'], 'What can be picked.', 'date'),
      initial: text('Shown from the start: YYYY-MM-DD, HH:mm, or both with a T between.'),
      placeholder,
    },
    ['kind', 'action_id'],
  ),
]

const element: JsonSchema = {
  description: 'Something a person can press or choose from.',
  oneOf: elements,
}

const image = object(
  {
    source: {
      description: 'Where the picture is.',
      oneOf: [
        object({ url: text('Public address, PNG, JPEG or GIF.', { format: 'uri' }) }, ['url']),
        object({ file_id: text('File uploaded before.', { pattern: '^F[0-9A-Z]{8,}$' }) }, [
          'file_id',
        ]),
      ],
    },
    alt: text('What the picture shows, for those who cannot see it.', {
      minLength: 1,
      maxLength: 2000,
    }),
    title: text('Line above the picture.', { maxLength: 200 }),
  },
  ['source', 'alt'],
  'A picture.',
)

/** One part of a rich message. */
const block: JsonSchema = {
  description: 'One part of the message.',
  oneOf: [
    object(
      {
        kind: kind('heading', 'A line in large type.'),
        text: text('Plain text.', { maxLength: 150 }),
        block_id: text('Your name for the part.'),
      },
      ['kind', 'text'],
    ),
    object(
      {
        kind: kind(
          'section',
          'A paragraph, with up to ten short fields in two columns and a picture at the ' +
            'right edge.',
        ),
        text: text('Paragraph in Markdown. Needed when there are no fields.', { maxLength: 3000 }),
        fields: list(
          object(
            {
              label: text('First line, in bold.', { maxLength: 200 }),
              value: text('Second line, in Markdown.', { maxLength: 1800 }),
            },
            ['label', 'value'],
          ),
          'Label and value pairs.',
          { maxItems: 10 },
        ),
        accessory: image,
        expand: flag('Show a long paragraph in full instead of folding it.', false),
        block_id: text('Your name for the part.'),
      },
      ['kind'],
    ),
    object({ kind: kind('divider', 'A thin line.') }, ['kind']),
    object({ kind: kind('image', 'A picture across the message.'), image }, ['kind', 'image']),
    object(
      {
        kind: kind('context', 'Small grey text, for where and when.'),
        elements: list(text('Markdown.', { maxLength: 300 }), 'Texts in order.', {
          minItems: 1,
          maxItems: 10,
        }),
      },
      ['kind', 'elements'],
    ),
    object(
      {
        kind: kind('actions', 'A row of buttons and menus.'),
        elements: list(element, 'Buttons and menus, from left to right.', {
          minItems: 1,
          maxItems: 25,
        }),
        block_id: text('Your name for the part.'),
      },
      ['kind', 'elements'],
    ),
    object(
      {
        kind: kind('code', 'Text in fixed width, not folded.'),
        text: text('The code.', { maxLength: 12000 }),
        language: text('For colours, for example "json".'),
        title: text('File name or heading.'),
      },
      ['kind', 'text'],
    ),
    object(
      {
        kind: kind('table', 'Rows and columns.'),
        columns: list(
          object(
            {
              title: text('Heading of the column.', { maxLength: 60 }),
              align: choice(['left', 'center', 'right'], 'Where text stands.', 'left'),
              wrap: flag('Break long cells over several lines.', false),
            },
            ['title'],
          ),
          'Columns from left to right.',
          { minItems: 1, maxItems: 12 },
        ),
        rows: list(
          list(
            text('One cell, in Markdown without line breaks.', { maxLength: 500 }),
            'Cells, as many as there are columns.',
          ),
          'Rows from top to bottom.',
          { minItems: 1, maxItems: 100 },
        ),
      },
      ['kind', 'columns', 'rows'],
    ),
  ],
}

/** Rich parts of a message or a document. */
export function blocks(description: string, maxItems: number): JsonSchema {
  return list(
    block,
    lines(
      description,
      'Every part has a kind, which decides its other fields. When parts are given, the ' +
        'plain text is used for notifications and screen readers only, so it must still say ' +
        'what matters.',
    ),
    { maxItems },
  )
}

/** For the tools that let people answer. */
export const inputElement: JsonSchema = { ...element, oneOf: [...elements, toggles] }

/** An entry of a question that is answered by ordering entries. */
export const inputOption: JsonSchema = option
