import type { ToolDefinition } from 'toolsearch'

const repository = {
  type: 'string',
  pattern: '^[^/]+/[^/]+$',
  description: 'Repository as "owner/name", for example "acme/storefront".',
}

const page = {
  page: { type: 'integer', minimum: 1, default: 1, description: 'Page of results, from 1.' },
  per_page: { type: 'integer', minimum: 1, maximum: 100, default: 30 },
}

const mergeRequestNumber = {
  type: 'integer',
  minimum: 1,
  description: 'Number of the merge request, as shown after the # in its title.',
}

/** Tools of Quarry, an imaginary code host: repositories, merge requests, pipelines. */
export const codeHostingTools: readonly ToolDefinition[] = [
  {
    name: 'mcp__code-hosting__search_code',
    description:
      'Search the source code of all repositories you can read. Use it to find where a symbol ' +
      'or a string is used; to read a whole file, use get_file_contents. Returns matching ' +
      'files with up to three excerpts each.',
    source: 'mcp:code-hosting',
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          minLength: 2,
          description:
            'Words or an exact string in double quotes. A query between slashes is read as a ' +
            'regular expression.',
        },
        repositories: {
          type: 'array',
          items: repository,
          maxItems: 20,
          description: 'Search only here. Leave out to search everywhere.',
        },
        language: {
          type: 'string',
          description: 'Programming language in lower case, for example "python".',
        },
        path: {
          type: 'string',
          description: 'Glob the file path must match, for example "src/**/*.sql".',
        },
        case_sensitive: { type: 'boolean', default: false },
        ...page,
      },
      required: ['query'],
    },
    annotations: { title: 'Search code', readOnlyHint: true },
  },
  {
    name: 'mcp__code-hosting__get_file_contents',
    description:
      'Read one file, or list one folder, of a repository at a given branch, tag or commit. ' +
      'Binary files come back as base64.',
    source: 'mcp:code-hosting',
    inputSchema: {
      type: 'object',
      properties: {
        repository,
        path: {
          type: 'string',
          description: 'Path from the repository root. An empty string is the root folder.',
        },
        ref: {
          type: 'string',
          description: 'Branch, tag or commit hash. The default branch when left out.',
        },
      },
      required: ['repository', 'path'],
    },
    annotations: { title: 'Get file contents', readOnlyHint: true },
  },
  {
    name: 'mcp__code-hosting__commit_files',
    description:
      'Create one commit that adds, changes, moves or deletes several files on a branch, ' +
      'without a local clone. All changes land together or none does. Returns the new commit ' +
      'hash and a link to the diff.',
    source: 'mcp:code-hosting',
    inputSchema: {
      type: 'object',
      properties: {
        repository,
        branch: {
          type: 'string',
          description: 'Branch that receives the commit. It must exist unless start_from is given.',
        },
        start_from: {
          type: 'string',
          description: 'Create the branch from this branch, tag or commit first.',
        },
        message: {
          type: 'string',
          minLength: 1,
          description:
            'Commit message. The first line is the subject; keep it under 72 characters.',
        },
        author: {
          type: 'object',
          description: 'Who wrote the change, when it is not the owner of the token.',
          properties: {
            name: { type: 'string' },
            email: { type: 'string', format: 'email' },
          },
          required: ['name', 'email'],
          additionalProperties: false,
        },
        changes: {
          type: 'array',
          minItems: 1,
          maxItems: 200,
          description: 'What happens to each file.',
          items: {
            type: 'object',
            properties: {
              action: { type: 'string', enum: ['create', 'update', 'move', 'delete'] },
              path: { type: 'string', description: 'Path of the file after the change.' },
              previous_path: {
                type: 'string',
                description: 'Path before the change. Only for "move".',
              },
              content: {
                type: 'string',
                description: 'Whole new content. Needed for "create" and "update".',
              },
              encoding: { type: 'string', enum: ['text', 'base64'], default: 'text' },
              executable: { type: 'boolean', description: 'Set or clear the executable bit.' },
            },
            required: ['action', 'path'],
            additionalProperties: false,
          },
        },
        expected_head: {
          type: 'string',
          description:
            'Hash the branch must point at. The call fails if someone pushed in between.',
        },
      },
      required: ['repository', 'branch', 'message', 'changes'],
      additionalProperties: false,
    },
    annotations: { title: 'Commit files', readOnlyHint: false, destructiveHint: true },
  },
  {
    name: 'mcp__code-hosting__create_branch',
    description: 'Create a branch in a repository. Fails if a branch of that name exists.',
    source: 'mcp:code-hosting',
    inputSchema: {
      type: 'object',
      properties: {
        repository,
        branch: { type: 'string', description: 'Name of the new branch.' },
        from: {
          type: 'string',
          description: 'Branch, tag or commit to start from. The default branch when left out.',
        },
      },
      required: ['repository', 'branch'],
    },
    annotations: { title: 'Create branch', destructiveHint: false },
  },
  {
    name: 'mcp__code-hosting__list_commits',
    description:
      'List the commits of a branch, newest first, with author, date and subject. Narrow it ' +
      'by path, author or date to see who changed something and when.',
    source: 'mcp:code-hosting',
    inputSchema: {
      type: 'object',
      properties: {
        repository,
        ref: { type: 'string', description: 'Branch, tag or commit to walk back from.' },
        path: { type: 'string', description: 'Only commits that touched this file or folder.' },
        author: { type: 'string', description: 'User name or email address of the author.' },
        since: { type: 'string', format: 'date-time' },
        until: { type: 'string', format: 'date-time' },
        ...page,
      },
      required: ['repository'],
    },
    annotations: { title: 'List commits', readOnlyHint: true },
  },
  {
    name: 'mcp__code-hosting__create_merge_request',
    description:
      'Open a merge request from one branch to another. Push the commits first: an empty ' +
      'merge request is refused. Returns its number, its link, and whether it can be merged ' +
      'without conflicts.',
    source: 'mcp:code-hosting',
    searchHint: 'pull request PR',
    inputSchema: {
      type: 'object',
      properties: {
        repository,
        title: { type: 'string', minLength: 1, maxLength: 250 },
        body: {
          type: 'string',
          description:
            'What changes and why, in Markdown. "Closes #12" closes that issue on merge.',
        },
        source_branch: {
          type: 'string',
          description: 'Branch with the changes. Use "fork-owner:branch" for a fork.',
        },
        target_branch: {
          type: 'string',
          description: 'Branch to merge into. The default branch when left out.',
        },
        draft: {
          type: 'boolean',
          default: false,
          description: 'Open as a draft that cannot be merged yet.',
        },
        reviewers: {
          type: 'array',
          items: { type: 'string' },
          maxItems: 15,
          description: 'User names, or team names written as "@owner/team".',
        },
        labels: { type: 'array', items: { type: 'string' } },
        allow_maintainer_edits: { type: 'boolean', default: true },
      },
      required: ['repository', 'title', 'source_branch'],
    },
    annotations: { title: 'Create merge request', destructiveHint: false },
  },
  {
    name: 'mcp__code-hosting__list_merge_requests',
    description:
      'List the merge requests of a repository, with state, author, reviewers and pipeline ' +
      'result. Use get_merge_request for the diff and the discussion of one of them.',
    source: 'mcp:code-hosting',
    inputSchema: {
      type: 'object',
      properties: {
        repository,
        state: { type: 'string', enum: ['open', 'merged', 'closed', 'all'], default: 'open' },
        author: { type: 'string', description: 'User name of the author, or "me".' },
        reviewer: { type: 'string', description: 'User name of a requested reviewer, or "me".' },
        target_branch: { type: 'string' },
        sort: { type: 'string', enum: ['created', 'updated', 'comments'], default: 'updated' },
        direction: { type: 'string', enum: ['asc', 'desc'], default: 'desc' },
        ...page,
      },
      required: ['repository'],
    },
    annotations: { title: 'List merge requests', readOnlyHint: true },
  },
  {
    name: 'mcp__code-hosting__get_merge_request',
    description:
      'Get one merge request: description, reviews, and on demand its diff, its comments and ' +
      'its pipeline results.',
    source: 'mcp:code-hosting',
    inputSchema: {
      type: 'object',
      properties: {
        repository,
        number: mergeRequestNumber,
        include: {
          type: 'array',
          uniqueItems: true,
          items: { type: 'string', enum: ['diff', 'files', 'comments', 'commits', 'checks'] },
          default: ['files'],
          description: 'Parts to return besides the summary. A diff longer than 3000 lines is cut.',
        },
      },
      required: ['repository', 'number'],
    },
    annotations: { title: 'Get merge request', readOnlyHint: true },
  },
  {
    name: 'mcp__code-hosting__review_merge_request',
    description:
      'Submit a review: an overall verdict, and comments on single lines of the diff. All ' +
      'comments are published at once and the author gets one notice. You cannot approve your ' +
      'own merge request.',
    source: 'mcp:code-hosting',
    inputSchema: {
      type: 'object',
      properties: {
        repository,
        number: mergeRequestNumber,
        verdict: { type: 'string', enum: ['approve', 'request_changes', 'comment'] },
        body: {
          type: 'string',
          description: 'Summary in Markdown. Needed unless the verdict is "approve".',
        },
        commit: {
          type: 'string',
          description: 'Hash the review is about. The newest commit when left out.',
        },
        comments: {
          type: 'array',
          maxItems: 100,
          items: {
            type: 'object',
            properties: {
              path: { type: 'string', description: 'File the comment is about.' },
              line: { type: 'integer', minimum: 1, description: 'Last line the comment is about.' },
              start_line: {
                type: 'integer',
                minimum: 1,
                description: 'First line, when the comment spans several.',
              },
              side: {
                type: 'string',
                enum: ['old', 'new'],
                default: 'new',
                description: 'Which side of the diff the line numbers count.',
              },
              body: { type: 'string', description: 'The comment, in Markdown.' },
              suggestion: {
                type: 'string',
                description:
                  'Text to replace the lines with. The author can accept it with one click.',
              },
            },
            required: ['path', 'line', 'body'],
          },
        },
      },
      required: ['repository', 'number', 'verdict'],
    },
    annotations: { title: 'Review merge request', destructiveHint: false },
  },
  {
    name: 'mcp__code-hosting__merge_merge_request',
    description:
      'Merge an open merge request into its target branch. Fails with the reason when checks ' +
      'are red, approvals are missing or there are conflicts.',
    source: 'mcp:code-hosting',
    inputSchema: {
      type: 'object',
      properties: {
        repository,
        number: mergeRequestNumber,
        method: { type: 'string', enum: ['merge', 'squash', 'rebase'], default: 'squash' },
        commit_message: { type: 'string', description: 'Message of the merge or squash commit.' },
        delete_source_branch: { type: 'boolean', default: true },
        when_checks_pass: {
          type: 'boolean',
          default: false,
          description: 'Do not fail on running checks; merge as soon as they are green.',
        },
      },
      required: ['repository', 'number'],
    },
    annotations: { title: 'Merge', destructiveHint: true, idempotentHint: true },
  },
  {
    name: 'mcp__code-hosting__get_pipeline_logs',
    description:
      'Get the log of a build pipeline, for one job or for every job that failed. Use it to ' +
      'find out why a build is red. Only the last lines of each job are returned.',
    source: 'mcp:code-hosting',
    searchHint: 'CI build failure tests workflow run',
    inputSchema: {
      type: 'object',
      properties: {
        repository,
        pipeline_id: {
          type: 'integer',
          description: 'Pipeline to read. Leave out and give ref for the newest one.',
        },
        ref: { type: 'string', description: 'Branch or commit whose newest pipeline to read.' },
        job: { type: 'string', description: 'Name of one job. Every failed job when left out.' },
        tail_lines: { type: 'integer', minimum: 10, maximum: 5000, default: 200 },
      },
      required: ['repository'],
    },
    annotations: { title: 'Get pipeline logs', readOnlyHint: true },
  },
]
