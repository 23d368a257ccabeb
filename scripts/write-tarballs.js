// Writes the packages as npm would publish them to tarballs/, for installing them on another machine.
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { packPackages } from './pack-packages.js'

const folder = 'tarballs'
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
packPackages(folder)
for (const file of readdirSync(folder)) console.log(`${folder}/${file}`)
