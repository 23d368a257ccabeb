import {
  answer,
  between,
  commitHash,
  include,
  labels,
  mergeMethod,
  notice,
  order,
  page,
  pullRequest,
  repository,
  reviewers,
  safeguards,
} from './coppice-fields.ts'
import { choice, flag, integer, lines, list, object, text } from './json-schema.ts'
import type { ServerTool } from './server-tools.ts'

const body = text(
  'Description in Markdown. "Closes #12" closes that issue when the pull request lands on ' +
    'the default branch; task lists show as progress. Leave out to use the template of the ' +
    'repository.',
  { maxLength: 65536 },
)

/** Tools of Coppice for proposing and reading pull requests. */
export const pullRequestTools: readonly ServerTool[] = [
  {
    name: 'create_pull_request',
    description: lines(
      'Open a pull request that proposes to merge one branch into another.',
      '',
      'Before you call it: the branch with the changes must be pushed and differ from the ' +
        'target (an empty pull request is refused with no_changes), and no open pull request ' +
        'may exist for the same pair of branches (already_open, with its number).',
      'Write the title as the line you want in the change log. Say in the body what changes, ' +
        'why, and how it was tried out. Open it as a draft if checks are expected to fail: ' +
        'drafts ask nobody for a review.',
      'Returns number, link, and whether it can be merged without conflicts ("unknown" in ' +
        'the first seconds).',
      'Errors worth handling: no_changes, already_open, head_not_found (push first), ' +
        'template_required (the repository wants its headings kept; the answer carries the ' +
        'template), labels_unknown.',
    ),
    inputSchema: object(
      {
        ...repository,
        title: text('One line.', { minLength: 1, maxLength: 250 }),
        body,
        head: text('Branch with the changes. Write fork-owner:branch when it lives in a fork.'),
        base: text('Branch to merge into. The default branch when left out.'),
        draft: flag('Open as a draft that cannot be merged and notifies nobody.', false),
        ...reviewers,
        assignees: list(text('User name without @.'), 'People responsible for landing it.', {
          maxItems: 10,
        }),
        labels,
        milestone: integer('Number of a milestone of the repository.', { minimum: 1 }),
        maintainer_can_edit: flag(
          'Let maintainers of the target push to the branch of the fork.',
          true,
        ),
        auto_merge: object(
          { method: mergeMethod, delete_branch: flag('Remove the branch afterwards.', true) },
          [],
          'Merge without a further call as soon as reviews and checks allow. Leave out to ' +
            'merge by hand.',
        ),
        ...safeguards,
        ...notice,
      },
      ['owner', 'repo', 'title', 'head'],
    ),
    annotations: { title: 'Create pull request', destructiveHint: false },
  },
  {
    name: 'get_pull_request',
    description: lines(
      'Get one pull request: title, description, author, branches, state, labels, review ' +
        'decision, whether it can be merged and what is in the way.',
      'The diff is not part of the answer, use get_pull_request_diff; review threads are in ' +
        'list_pull_request_comments. mergeable is computed in the background: on "unknown" ask ' +
        'again after a few seconds, at most three times.',
      'blocked_by lists everything that stands in the way of merging in plain words: missing ' +
        'approvals by owner, failing checks by name, unresolved threads, a closed merge ' +
        'window. Read it before you try to merge.',
    ),
    inputSchema: object(
      {
        ...pullRequest,
        include: include(
          ['commits', 'checks', 'reviews', 'linked_issues', 'deployments', 'timeline'],
          ['checks', 'reviews'],
        ),
        timeline_limit: integer('Events of the timeline to return, newest first.', {
          minimum: 1,
          maximum: 200,
          default: 30,
        }),
        ...answer([
          'title',
          'body',
          'state',
          'draft',
          'author',
          'head',
          'base',
          'labels',
          'mergeable',
          'blocked_by',
          'review_decision',
          'merged_by',
          'merged_at',
          'url',
        ]),
      },
      ['owner', 'repo', 'pull_number'],
    ),
    annotations: { title: 'Get pull request', readOnlyHint: true },
  },
  {
    name: 'list_pull_requests',
    description: lines(
      'List the pull requests of a repository or, without repo, of everything an owner has. ' +
        'Filters combine with AND. For free text in titles and comments, use search_issues ' +
        'with type "pull_request".',
      'Typical uses: what waits for my review (review_requested "me"), what landed yesterday ' +
        '(state "merged" with since), what has been open too long (sort "created", direction ' +
        '"asc").',
      'Without repo the search covers at most 1,000 repositories, most recently pushed ' +
        'first, and the answer says when it stopped there. Counts by state are included, so ' +
        'there is no need to page through a list to count it.',
    ),
    inputSchema: object(
      {
        owner: repository.owner!,
        repo: text('One repository by name. All repositories of the owner when left out.'),
        state: choice(
          ['open', 'closed', 'merged', 'all'],
          '"closed" means closed without merging.',
          'open',
        ),
        draft: choice(['include', 'exclude', 'only'], 'What to do with drafts.', 'include'),
        author: text('User name of the author, or "me".'),
        assignee: text('User name, "me", or "none".'),
        review_requested: text(
          'User name or team slug that has been asked and has not answered, or "me".',
        ),
        review_decision: choice(
          ['none', 'review_required', 'changes_requested', 'approved'],
          'Where the reviews stand.',
        ),
        check_status: choice(
          ['pending', 'passing', 'failing'],
          'Where the required checks of the newest commit stand.',
        ),
        head: text('Branch the changes come from.'),
        base: text('Branch it would merge into.'),
        labels,
        ...between('pull requests updated'),
        ...order(['created', 'updated', 'merged', 'comments', 'changed_lines'], 'updated'),
        ...page,
        ...answer([
          'number',
          'title',
          'author',
          'state',
          'draft',
          'head',
          'base',
          'labels',
          'review_decision',
          'check_status',
          'created_at',
          'updated_at',
          'merged_at',
          'url',
        ]),
      },
      ['owner'],
    ),
    annotations: { title: 'List pull requests', readOnlyHint: true },
  },
  {
    name: 'update_pull_request',
    description:
      'Change title, description, target branch, draft state, labels, assignees or milestone ' +
      'of a pull request, or close and reopen it. Fields you leave out stay as they are; an ' +
      'empty list empties. Changing the target branch dismisses approvals given so far when ' +
      'the repository demands fresh ones. To land it, use merge_pull_request.',
    inputSchema: object(
      {
        ...pullRequest,
        title: text('New title.', { minLength: 1, maxLength: 250 }),
        body,
        base: text('New target branch.'),
        state: choice(['open', 'closed'], 'Close without merging, or reopen.'),
        draft: flag('Turn into a draft, or mark as ready for review.'),
        labels,
        assignees: list(text('User name without @.'), 'Replaces all assignees.', { maxItems: 10 }),
        milestone: {
          description: 'Number of a milestone, or null to remove it.',
          anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }],
        },
        ...notice,
      },
      ['owner', 'repo', 'pull_number'],
    ),
    annotations: { title: 'Update pull request', destructiveHint: false, idempotentHint: true },
  },
  {
    name: 'get_pull_request_diff',
    description: lines(
      'Read what a pull request changes, as a unified diff or as a list of files with added ' +
        'and removed lines.',
      '',
      'Start with format "files" on a large pull request and ask for the patch of the paths ' +
        'that matter. Generated files, lock files and vendored folders are listed without ' +
        'their patch unless named in paths. A patch over max_lines is cut between hunks and ' +
        'marked; continue with from_file.',
      'Line numbers in the answer are those submit_review wants for comments.',
    ),
    inputSchema: object(
      {
        ...pullRequest,
        format: choice(
          ['files', 'patch', 'patch_with_line_numbers'],
          'How to show the change.',
          'patch',
        ),
        paths: list(text('Path or glob.'), 'Only these files.', { maxItems: 100 }),
        since_commit: {
          ...commitHash,
          description: 'Only what changed after this commit, to look at a second round of review.',
        },
        context_lines: integer('Unchanged lines around each change.', {
          minimum: 0,
          maximum: 25,
          default: 3,
        }),
        ignore_whitespace: flag('Leave out changes in white space only.', false),
        max_lines: integer('Where to cut the patch.', {
          minimum: 50,
          maximum: 5000,
          default: 1500,
        }),
        from_file: text('Continue a cut patch at this path.'),
        ...answer(['path', 'previous_path', 'status', 'additions', 'deletions', 'patch', 'owners']),
      },
      ['owner', 'repo', 'pull_number'],
    ),
    annotations: { title: 'Get pull request diff', readOnlyHint: true },
  },
]
