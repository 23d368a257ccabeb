import {
  answer,
  commitHash,
  cursor,
  labels,
  mergeMethod,
  notice,
  pullRequest,
  reviewers,
  safeguards,
} from './coppice-fields.ts'
import { choice, flag, integer, lines, list, object, text } from './json-schema.ts'
import type { ServerTool } from './server-tools.ts'

/** Tools of Coppice for reviewing, landing and taking back pull requests. */
export const reviewTools: readonly ServerTool[] = [
  {
    name: 'list_pull_request_comments',
    description: lines(
      'Read the discussion of a pull request: review threads on lines of the diff, reviews ' +
        'with their verdict, and plain comments, oldest first.',
      'Threads come whole, with the lines they are about, whether they are resolved, and ' +
        'whether the code has changed since (outdated). Comments by bots are left out by ' +
        'default, since coverage and preview bots write the longest ones.',
    ),
    inputSchema: object(
      {
        ...pullRequest,
        kinds: list(choice(['thread', 'review', 'comment'], 'Kind of entry.'), 'What to return.', {
          uniqueItems: true,
          default: ['thread', 'review', 'comment'],
        }),
        resolved: choice(
          ['include', 'exclude', 'only'],
          'What to do with resolved threads.',
          'exclude',
        ),
        outdated: choice(
          ['include', 'exclude', 'only'],
          'What to do with threads on lines that have changed.',
          'include',
        ),
        author: text('Only entries by this user.'),
        include_bots: flag('Return what automated accounts wrote.', false),
        ...cursor,
        ...answer([
          'id',
          'kind',
          'author',
          'body',
          'path',
          'line',
          'resolved',
          'outdated',
          'created_at',
          'url',
        ]),
      },
      ['owner', 'repo', 'pull_number'],
    ),
    annotations: { title: 'List pull request comments', readOnlyHint: true },
  },
  {
    name: 'submit_review',
    description: lines(
      'Review a pull request: one verdict and any number of comments on lines of the diff, ' +
        'published together so that the author gets a single notice.',
      '',
      'Rules:',
      '- You cannot approve or request changes on your own pull request; use verdict "comment".',
      '- Comments must point at lines that are part of the diff, numbered as on the given ' +
        'side. A comment elsewhere makes the whole call fail with line_not_in_diff.',
      '- Give commit when you reviewed an earlier state: comments are then carried forward ' +
        'where the lines still exist.',
      '- A suggestion replaces the lines from start_line to line and can be applied by the ' +
        'author with one click. It must be the full text of those lines, indentation included.',
      'An approval counts only if you have write access. Ask the user before approving on ' +
        'their behalf.',
      'Errors worth handling: line_not_in_diff (with the nearest line that is), ' +
        'own_pull_request, pull_request_closed, stale_commit (the commit is no longer part of ' +
        'the branch).',
    ),
    inputSchema: object(
      {
        ...pullRequest,
        verdict: choice(['approve', 'request_changes', 'comment'], 'Overall judgement.'),
        body: text('Summary in Markdown. Needed unless the verdict is "approve".', {
          maxLength: 65536,
        }),
        commit: commitHash,
        comments: list(
          object(
            {
              path: text('File as named in the diff. The new path of a renamed file.'),
              side: choice(['old', 'new'], 'Which side of the diff the line numbers count.', 'new'),
              line: integer('Line the comment is about; the last one of a range.', { minimum: 1 }),
              start_line: integer('First line of a range. Must be in the same hunk.', {
                minimum: 1,
              }),
              body: text('The comment, in Markdown.', { minLength: 1 }),
              suggestion: text(
                'Replacement for the lines, without a code fence. An empty string suggests ' +
                  'deleting them.',
              ),
              severity: choice(
                ['nit', 'question', 'issue', 'blocker'],
                'Shown as a label beside the comment.',
                'issue',
              ),
            },
            ['path', 'line', 'body'],
          ),
          'Comments on lines.',
          { maxItems: 100 },
        ),
        resolve_threads: list(
          text('Thread id from list_pull_request_comments.'),
          'Threads of yours that this review settles.',
          { maxItems: 100 },
        ),
        ...notice,
      },
      ['owner', 'repo', 'pull_number', 'verdict'],
    ),
    annotations: { title: 'Submit review', destructiveHint: false },
  },
  {
    name: 'request_reviewers',
    description:
      'Ask people or teams to review an open pull request, or withdraw a request that has ' +
      'not been answered. Whoever is added is notified at once, so do not ask a large group ' +
      'to see who reacts. Returns everyone who is now asked, and who was skipped because ' +
      'they have no access.',
    inputSchema: object(
      {
        ...pullRequest,
        action: choice(['add', 'remove'], 'Ask, or withdraw.', 'add'),
        ...reviewers,
        ...notice,
      },
      ['owner', 'repo', 'pull_number'],
    ),
    annotations: { title: 'Request reviewers', destructiveHint: false },
  },
  {
    name: 'merge_pull_request',
    description: lines(
      'Land a pull request on its target branch. This cannot be undone by the host; to take ' +
        'the change out again, use revert_pull_request.',
      '',
      'The call is refused, with the list of reasons, while reviews are missing, required ' +
        'checks have not passed, conflicts exist or the merge window of the repository is ' +
        'closed. Do not work around a refusal: report it. Give expected_head so that only the ' +
        'state you looked at is merged.',
      'when "checks_pass" queues the merge and returns at once; the result then arrives as ' +
        'an event in the timeline of the pull request. bypass_rules is for emergencies, needs ' +
        'the maintainer role and a reason, and is written to the audit log.',
      'Errors worth handling: not_mergeable with reasons such as reviews_missing, ' +
        'checks_pending, checks_failing, conflicts, window_closed; head_changed when ' +
        'expected_head no longer fits; method_not_allowed with the allowed ones.',
    ),
    inputSchema: object(
      {
        ...pullRequest,
        method: mergeMethod,
        expected_head: {
          ...commitHash,
          description: 'Newest commit of the pull request as you saw it, full or shortened.',
        },
        when: choice(
          ['now', 'checks_pass', 'queue'],
          'Merge at once, as soon as required checks pass, or through the merge queue.',
          'now',
        ),
        commit_title: text(
          'First line of the merge or squash commit. Made from title and number when left out.',
          { maxLength: 250 },
        ),
        commit_message: text(
          'Rest of the message. The description of the pull request when left out.',
        ),
        delete_branch: flag(
          'Remove the source branch afterwards, unless it is protected or in a fork.',
          true,
        ),
        bypass_rules: object(
          {
            reason: text('Why the rules may not wait.', { minLength: 10 }),
            incident: text('Link to the incident.', { format: 'uri' }),
          },
          ['reason'],
          'Merge although reviews or checks are missing.',
        ),
        ...safeguards,
        ...notice,
      },
      ['owner', 'repo', 'pull_number'],
    ),
    annotations: { title: 'Merge pull request', destructiveHint: true, idempotentHint: true },
  },
  {
    name: 'revert_pull_request',
    description: lines(
      'Open a new pull request that takes back everything a merged pull request changed. ' +
        'Nothing lands by this call alone: review and merge the new one like any other, or let ' +
        'auto_merge do it.',
      'Works for merges of the last 90 days. When later commits touched the same lines the ' +
        'revert has conflicts: the pull request is opened as a draft and the answer names the ' +
        'files to mend. Database migrations and data are not rolled back, say so in the body ' +
        'when the original contained one.',
      'Errors worth handling: not_merged, too_old, already_reverted (with the number of the ' +
        'revert), conflicts (a draft was opened all the same).',
    ),
    inputSchema: object(
      {
        ...pullRequest,
        title: text('Title of the new pull request. Revert "original title" when left out.', {
          maxLength: 250,
        }),
        body: text('Why it is taken back, in Markdown. A link to the original is added.'),
        branch: text('Name of the branch with the revert. revert-NUMBER-BRANCH when left out.'),
        draft: flag('Open as a draft.', false),
        ...reviewers,
        labels,
        auto_merge: flag('Merge by itself as soon as reviews and checks allow.', false),
        ...safeguards,
        ...notice,
      },
      ['owner', 'repo', 'pull_number'],
    ),
    annotations: { title: 'Revert pull request', destructiveHint: false },
  },
]
