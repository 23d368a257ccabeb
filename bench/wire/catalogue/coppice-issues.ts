import {
  answer,
  between,
  cursor,
  include,
  issueNumber,
  labels,
  notice,
  order,
  page,
  repository,
  safeguards,
} from './coppice-fields.ts'
import { choice, flag, integer, lines, list, object, text } from './json-schema.ts'
import type { ServerTool } from './server-tools.ts'

const issue = { ...repository, issue_number: issueNumber }

const assignees = list(
  text('User name without @.'),
  'People responsible. They must have access to the repository.',
  { maxItems: 10, uniqueItems: true },
)

const issueType = choice(
  ['bug', 'feature', 'task', 'incident_follow_up', 'question'],
  'Kind of work. Decides which custom fields apply.',
)

const customFields = list(
  object(
    {
      name: text('Field as named in the project settings, for example "Team" or "Due".'),
      value: {
        description:
          'Value in the type of the field. Options of a select field are given by name, ' +
          'dates as YYYY-MM-DD, null clears.',
        anyOf: [
          { type: 'string' },
          { type: 'number' },
          { type: 'boolean' },
          { type: 'array', items: { type: 'string' } },
          { type: 'null' },
        ],
      },
    },
    ['name', 'value'],
  ),
  'Values of fields the organisation defined. Unknown fields are refused, with the list of ' +
    'known ones.',
  { maxItems: 30 },
)

/** Tools of Coppice for issues. */
export const issueTools: readonly ServerTool[] = [
  {
    name: 'create_issue',
    description: lines(
      'Open an issue in the tracker of a repository. Look with search_issues first whether ' +
        'it exists: duplicates cost the team more than a comment on the old one.',
      '',
      'A good issue says in the title what is wrong or wanted, and in the body how to see ' +
        'it, what was expected, and since when. If the repository has issue forms, give form ' +
        'and answers instead of a body; required questions left open are refused with ' +
        'missing_answers and the questions.',
      'Everyone watching the repository is notified. Returns number and link.',
      'Errors worth handling: possible_duplicate (shown once; repeat the call with the same ' +
        'idempotency_key to open it anyway), issues_disabled, missing_answers, field_unknown.',
    ),
    inputSchema: object(
      {
        ...repository,
        title: text('One line that can stand alone in a list.', { minLength: 4, maxLength: 250 }),
        body: text(
          'Description in Markdown. Mention people as @name and other issues as #12 or ' +
            'owner/repo#12.',
          { maxLength: 65536 },
        ),
        form: object(
          {
            name: text('File name of the form without ending, for example "bug".'),
            answers: list(
              object(
                {
                  question: text('Id of the question.'),
                  answer: text('Answer; for check boxes the ticked labels, one in each line.'),
                },
                ['question', 'answer'],
              ),
              'Answers to its questions.',
              { minItems: 1 },
            ),
          },
          ['name', 'answers'],
          'Issue form of the repository to fill in. Leave body out with it.',
        ),
        type: issueType,
        assignees,
        labels,
        milestone: integer('Number of a milestone.', { minimum: 1 }),
        parent: integer('Number of the issue this is a part of, in the same repository.', {
          minimum: 1,
        }),
        project: object(
          {
            number: integer('Number of the project board.', { minimum: 1 }),
            status: text('Column to put it in.', { default: 'Inbox' }),
          },
          ['number'],
          'Board to add it to.',
        ),
        fields: customFields,
        confidential: flag(
          'Show it to members of the repository only. Cannot be undone once others were mentioned.',
          false,
        ),
        ...safeguards,
        ...notice,
      },
      ['owner', 'repo', 'title'],
    ),
    annotations: { title: 'Create issue', destructiveHint: false },
  },
  {
    name: 'get_issue',
    description:
      'Get one issue with description, state, people, labels and custom fields; on request ' +
      'also its comments, its parts, and the pull requests and commits that mention it. ' +
      'Issues moved to another repository are followed and the answer says so.',
    inputSchema: object(
      {
        ...issue,
        include: include(
          ['comments', 'sub_issues', 'parent', 'linked_pull_requests', 'timeline', 'reactions'],
          ['comments'],
        ),
        comments_order: choice(
          ['oldest', 'newest'],
          'Which comments come first when there are many.',
          'oldest',
        ),
        ...cursor,
        ...answer([
          'title',
          'body',
          'state',
          'type',
          'author',
          'assignees',
          'labels',
          'milestone',
          'fields',
          'created_at',
          'closed_at',
          'url',
        ]),
      },
      ['owner', 'repo', 'issue_number'],
    ),
    annotations: { title: 'Get issue', readOnlyHint: true },
  },
  {
    name: 'search_issues',
    description: lines(
      'Search issues and pull requests by text and by filters, in one repository, one ' +
        'organisation or everything you can read.',
      '',
      'Put plain words in query and everything else in the filters; qualifiers of the web ' +
        'search such as is:open are understood in query too, but a filter wins where both say ' +
        'something. Search looks into titles, descriptions and comments. It is not exact: ' +
        'results are ranked, and new text takes a minute to be found.',
      'Examples: query "pool timeout", type "issue", state "open", labels ["incident"]; ' +
        'query "", assignee "me", sort "updated".',
      'At most 1,000 results can be paged through. When total is above that, narrow the ' +
        'dates. incomplete set to true means that the search ran out of time: narrow the ' +
        'scope, do not simply repeat it.',
    ),
    inputSchema: object(
      {
        query: text('Words to look for. Quote a phrase. May be empty when there are filters.', {
          maxLength: 256,
        }),
        type: choice(['issue', 'pull_request', 'any'], 'What to search.', 'issue'),
        scope: {
          description: 'Where to look. Everything you can read when left out.',
          anyOf: [
            object({ owner: text('One account or organisation.') }, ['owner']),
            object(
              {
                repositories: list(text('Repository as "owner/name".'), 'These repositories.', {
                  minItems: 1,
                  maxItems: 50,
                }),
              },
              ['repositories'],
            ),
            object(
              { project: text('Project board as "owner/number".', { pattern: '^[^/]+/\\d+$' }) },
              ['project'],
            ),
          ],
        },
        search_in: list(
          choice(['title', 'body', 'comments'], 'Part of the text.'),
          'Which text to search.',
          { uniqueItems: true, default: ['title', 'body', 'comments'] },
        ),
        state: choice(['open', 'closed', 'any'], 'Open or closed.', 'open'),
        closed_as: choice(['completed', 'not_planned', 'duplicate'], 'Why it was closed.'),
        issue_types: list(issueType, 'Only these kinds of work.', { uniqueItems: true }),
        author: text('User name, or "me".'),
        assignee: text('User name, "me" or "none".'),
        mentions: text('User name that is mentioned, or "me".'),
        labels,
        without_labels: list(text('Label name.'), 'Leave out what has any of these.', {
          maxItems: 20,
        }),
        milestone: text('Title of a milestone, or "none".'),
        min_reactions: integer('Only what has at least this many reactions.', { minimum: 0 }),
        created: object(between('what was created'), [], 'When it was opened.'),
        updated: object(between('what changed'), [], 'When it last changed.'),
        ...order(['relevance', 'created', 'updated', 'comments', 'reactions'], 'relevance'),
        ...page,
        ...answer([
          'number',
          'repository',
          'title',
          'state',
          'type',
          'author',
          'assignees',
          'labels',
          'excerpt',
          'comments',
          'created_at',
          'updated_at',
          'url',
        ]),
      },
      ['query'],
    ),
    annotations: { title: 'Search issues', readOnlyHint: true },
  },
  {
    name: 'update_issue',
    description: lines(
      'Change an issue: text, state, people, labels, milestone, custom fields, place on a ' +
        'board. Fields you leave out stay as they are.',
      'labels and assignees replace the whole list; use the add and remove lists when others ' +
        'may be editing too. Closing wants a reason, and for a duplicate the number of the ' +
        'original.',
      'Every change is written to the timeline under the name of the signed-in user. Do not ' +
        'close issues of other people without being asked to; comment instead.',
    ),
    inputSchema: object(
      {
        ...issue,
        title: text('New title.', { minLength: 4, maxLength: 250 }),
        body: text('New description in Markdown. Replaces the whole text, task lists included.'),
        state: {
          description: 'Close or reopen.',
          oneOf: [
            object({ to: { const: 'open' } }, ['to'], 'Reopen.'),
            object(
              {
                to: { const: 'closed' },
                reason: choice(['completed', 'not_planned', 'duplicate'], 'Why it is closed.'),
                duplicate_of: integer('Number of the original, for "duplicate".', { minimum: 1 }),
              },
              ['to', 'reason'],
              'Close.',
            ),
          ],
        },
        type: issueType,
        assignees,
        labels,
        add_labels: list(text('Label name.'), 'Labels to add, others stay.', { maxItems: 20 }),
        remove_labels: list(text('Label name.'), 'Labels to take off. Missing ones are ignored.', {
          maxItems: 20,
        }),
        milestone: {
          description: 'Number of a milestone, or null to remove it.',
          anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }],
        },
        parent: {
          description: 'Number of the issue this becomes a part of, or null to detach it.',
          anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }],
        },
        project_status: text('Column of the board to move it to.'),
        fields: customFields,
        lock: choice(
          ['off_topic', 'too_heated', 'resolved', 'spam', 'unlock'],
          'Stop further comments and say why, or allow them again.',
        ),
        ...notice,
      },
      ['owner', 'repo', 'issue_number'],
    ),
    annotations: { title: 'Update issue', destructiveHint: false, idempotentHint: true },
  },
  {
    name: 'add_issue_comment',
    description:
      'Comment on an issue, or on a pull request as a whole (for lines of a diff, use ' +
      'submit_review). Subscribers are notified at once and a comment cannot be unsent. Keep ' +
      'it to what is new; link to logs instead of pasting more than 50 lines.',
    inputSchema: object(
      {
        ...issue,
        body: text('Comment in Markdown.', { minLength: 1, maxLength: 65536 }),
        reply_to: integer('Id of the comment to quote and answer.'),
        hide_as: choice(
          ['outdated', 'resolved', 'off_topic'],
          'Fold the comment you reply to, for this reason.',
        ),
        ...notice,
      },
      ['owner', 'repo', 'issue_number', 'body'],
    ),
    annotations: { title: 'Add issue comment', destructiveHint: false },
  },
  {
    name: 'list_labels',
    description:
      'List the labels of a repository with colour, description and number of open issues.',
    inputSchema: object(
      { ...repository, name_contains: text('Only labels with this in the name.') },
      ['owner', 'repo'],
    ),
    annotations: { title: 'List labels', readOnlyHint: true },
  },
  {
    name: 'arrange_sub_issues',
    description:
      'Make issues parts of a larger one, take them out, or change their order. A part has ' +
      'one parent at most: adding it here removes it there unless keep_parent is set, in ' +
      'which case the call fails instead. Up to 100 parts and eight levels.',
    inputSchema: object(
      {
        ...issue,
        changes: list(
          {
            oneOf: [
              object(
                {
                  action: { const: 'add' },
                  sub_issue: text('Issue as "#12" or "owner/repo#12".'),
                  after: text('Put it behind this part. At the end when left out.'),
                },
                ['action', 'sub_issue'],
                'Add a part.',
              ),
              object(
                { action: { const: 'remove' }, sub_issue: text('Issue to take out.') },
                ['action', 'sub_issue'],
                'Take a part out.',
              ),
              object(
                {
                  action: { const: 'move' },
                  sub_issue: text('Issue to move.'),
                  after: text('Part it comes behind, or "start".'),
                },
                ['action', 'sub_issue', 'after'],
                'Change the order.',
              ),
            ],
          },
          'Steps, carried out in order. All or none.',
          { minItems: 1, maxItems: 100 },
        ),
        keep_parent: flag(
          'Fail when a part belongs to another issue, instead of moving it.',
          false,
        ),
        ...notice,
      },
      ['owner', 'repo', 'issue_number', 'changes'],
    ),
    annotations: { title: 'Arrange sub-issues', destructiveHint: false },
  },
]
