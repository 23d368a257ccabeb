#!/usr/bin/env node
// Imports nothing and uses old syntax only: an unsupported version of Node must get as far as the check.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `toolsearch needs Node.js 20.19 or later, but this is Node.js ${process.versions.node}. Install a newer version: https://nodejs.org`,
  )
  process.exitCode = 1
} else {
  // Not awaited: Node ends a process with a pending top-level await with exit code 13.
  void import('./start.ts').then(({ start }) => start())
}

export {}
