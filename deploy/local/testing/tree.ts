import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Typical shape of a studio's storage: projects, shots, versions, and long sequences of small files. */
const perFolder = 100
const foldersPerShot = 10
const shotsPerProject = 20
const extensions = ['exr', 'dpx', 'mov', 'wav', 'psd', 'nk', 'txt', 'json']

/**
 * Creates about this many small files below a folder, always the same ones. Returns the number of files and folders.
 * File names start with `stem`.
 */
export function makeTree(root: string, files: number, stem = 'frame'): { files: number; folders: number } {
  let folders = 1
  let made = 0
  mkdirSync(root, { recursive: true })
  for (let project = 0; made < files; project++) {
    for (let shot = 0; shot < shotsPerProject && made < files; shot++) {
      const shotFolder = join(root, `project_${pad(project)}`, `shot_${pad(shot)}`)
      for (let version = 0; version < foldersPerShot && made < files; version++) {
        const folder = join(shotFolder, `v${pad(version)}`)
        mkdirSync(folder, { recursive: true })
        folders += 1 + Number(version === 0) + Number(version === 0 && shot === 0)
        made += fill(join(folder, stem), Math.min(perFolder, files - made), made)
      }
    }
  }
  return { files: made, folders }
}

const text = Buffer.alloc(2_048, 'DataIntell ')

function fill(beginning: string, count: number, from: number): number {
  for (let i = 0; i < count; i++) {
    const file = openSync(`${beginning}.${pad(i)}.${extensions[(from + i) % extensions.length]}`, 'w')
    writeSync(file, text, 0, (from + i * 37) % text.length)
    closeSync(file)
  }
  return count
}

const pad = (number: number) => String(number).padStart(4, '0')
