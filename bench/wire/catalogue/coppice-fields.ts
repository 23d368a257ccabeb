import type { JsonSchema } from 'toolsearch'
import { choice, flag, integer, list, object, type Properties, text } from './json-schema.ts'

/** Which repository a call is about. */
export const repository: Properties = {
  owner: text(
    'Account or organisation that owns the repository, without a leading @. Not ' +
      'case-sensitive. A fork belongs to whoever made it, not to the owner of the original.',
    { minLength: 1, maxLength: 60 },
  ),
  repo: text(
    'Name of the repository alone, without the owner and without a trailing .git. Renamed ' +
      'repositories are followed and the answer carries the new name.',
    {
      pattern: '^[A-Za-z0-9._-]{1,100}$',
    },
  ),
}

/** Paging by number, for lists that do not move much. */
export const page: Properties = {
  page: integer('Which page of results to return, counted from 1.', { minimum: 1, default: 1 }),
  per_page: integer('Results on one page. Smaller pages keep the answer short.', {
    minimum: 1,
    maximum: 100,
    default: 30,
  }),
}

/** Paging by cursor, for lists that grow while they are read. */
export const cursor: Properties = {
  first: integer('How many entries to return.', { minimum: 1, maximum: 100, default: 25 }),
  after: text(
    'Cursor taken from page_info.end_cursor of the previous answer. Leave out for the first ' +
      'page. A cursor lives for one hour.',
  ),
}

const pullRequestNumber: JsonSchema = integer(
  'Number of the pull request as shown after the # in its title. Not the internal id.',
  { minimum: 1 },
)

/** Issues are counted together with pull requests. */
export const issueNumber: JsonSchema = integer(
  'Number of the issue as shown after the # in its title. Issues and pull requests share one ' +
    'sequence.',
  { minimum: 1 },
)

/** A commit by its hash and by nothing else. */
export const commitHash: JsonSchema = text(
  'Commit hash, full or at least its first 7 characters.',
  { pattern: '^[0-9a-f]{7,40}$' },
)

/** A state of the repository, by whatever name. */
export const ref: JsonSchema = text(
  'Branch, tag or commit hash. A bare name is looked up as a branch first and as a tag ' +
    'second; write refs/tags/NAME to be certain. The default branch when left out.',
)

/** A file or folder of the repository. */
export const path: JsonSchema = text(
  'Path from the root of the repository, with forward slashes and without a leading one.',
)

/** How a pull request lands. */
export const mergeMethod: JsonSchema = choice(
  ['merge', 'squash', 'rebase'],
  'How commits arrive on the target branch. The default of the repository when left out; ' +
    'methods the repository has switched off are refused.',
)

/** Which pull request a call is about. */
export const pullRequest: Properties = { ...repository, pull_number: pullRequestNumber }

/** Labels that exist already. */
export const labels: JsonSchema = list(
  text('Name of a label that exists in the repository.', { maxLength: 50 }),
  'Labels by name. Unknown names are refused rather than created; see list_labels.',
  { maxItems: 100, uniqueItems: true },
)

/** Who is asked for a review. */
export const reviewers: Properties = {
  reviewers: list(
    text('User name without @.'),
    'People to ask for a review. The author of the pull request is skipped without an error.',
    { maxItems: 15, uniqueItems: true },
  ),
  team_reviewers: list(
    text('Team slug without the organisation, for example "payments-core".'),
    'Teams to ask. One member is picked by the rotation of the team unless the team has ' +
      'turned that off.',
    { maxItems: 10, uniqueItems: true },
  ),
}

/** What every list can be ordered by. */
export function order(keys: readonly string[], fallback: string): Properties {
  return {
    sort: choice(keys, 'What to order the results by.', fallback),
    direction: choice(
      ['asc', 'desc'],
      'Order of the results: "desc" puts the newest or largest first.',
      'desc',
    ),
  }
}

/** A span of time, for things that happened. */
export function between(what: string): Properties {
  return {
    since: text(`Only ${what} at or after this moment, in ISO 8601 with a time zone.`, {
      format: 'date-time',
    }),
    until: text(`Only ${what} before this moment, in ISO 8601 with a time zone.`, {
      format: 'date-time',
    }),
  }
}

/** Which parts of a large answer are wanted. */
export function include(parts: readonly string[], fallback: readonly string[]): JsonSchema {
  return list(
    choice(parts, 'One part of the answer.'),
    'Parts to return besides the summary. Ask only for what you will read: every part is a ' +
      'further request on the server and counts against the hourly budget.',
    { uniqueItems: true, default: fallback },
  )
}

/** For calls that change something others see. */
export const safeguards: Properties = {
  dry_run: flag(
    'Check permissions and input and return what would happen, without doing it.',
    false,
  ),
  idempotency_key: text(
    'Any string of your choice. A second call with the same key within 24 hours returns the ' +
      'answer of the first instead of acting twice. Set it when you retry after a timeout.',
    { maxLength: 64 },
  ),
}

/** How the answer of a reading call looks. */
export function answer(fields: readonly string[]): Properties {
  return {
    answer: object(
      {
        fields: list(
          choice(fields, 'Name of a field.'),
          'Return only these fields of each entry. All of them when left out, which is long.',
          { uniqueItems: true },
        ),
        format: choice(
          ['json', 'markdown', 'table'],
          'How the answer is written. A table is the shortest form of a list.',
          'json',
        ),
        max_characters: integer(
          'Cut the answer at the end of the last entry that fits, and tell how many were left out.',
          { minimum: 500, maximum: 100000, default: 20000 },
        ),
        time_zone: text(
          'IANA name of the zone for times in the answer, for example "Europe/Lisbon".',
          { default: 'UTC' },
        ),
      },
      [],
      'How the answer looks. The defaults suit most calls.',
    ),
  }
}

/** Who hears of a change. */
export const notice: Properties = {
  notify: object(
    {
      watchers: flag(
        'Notify people who watch the repository or are subscribed to the thread.',
        true,
      ),
      mentioned: choice(
        ['all', 'members_only', 'none'],
        'Which people mentioned in the text are notified.',
        'members_only',
      ),
      note: text('One line shown in the notification instead of the start of the text.', {
        maxLength: 140,
      }),
    },
    [],
    'Who hears of it. Quiet calls are still written to the audit log.',
  ),
}
