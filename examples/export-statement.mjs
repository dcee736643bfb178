#!/usr/bin/env node
// Saves the statement of a project as CSV: of last month, or of the month in the second argument (2026-10).
import { writeFile } from 'node:fs/promises'

const { DATAINTELL, TOKEN } = process.env
const [name, month = lastMonth()] = process.argv.slice(2)

function lastMonth() {
  const today = new Date()
  return new Date(Date.UTC(today.getFullYear(), today.getMonth() - 1, 1)).toISOString().slice(0, 7)
}

async function call(path) {
  const answer = await fetch(`${DATAINTELL}/api${path}`, { headers: { Authorization: `Bearer ${TOKEN}` } })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer
}

const list = await call(`/v1/projects?${new URLSearchParams({ filter: name, size: '1000' })}`)
const project = (await list.json()).elements.find((project) => project.name === name)
if (!project) throw new Error(`There is no project with the name ${name}`)

const statement = await call(`/v1/projects/${project.id}/statements/${month}/csv`)
const file = `${name.replaceAll('/', '-')}-${month}.csv`
await writeFile(file, await statement.text())
console.log(`Saved ${file}`)
