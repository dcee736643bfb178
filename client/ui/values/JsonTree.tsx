import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { counted } from '#client/ui/text/count.ts'
import classes from './JsonPane.module.css'

/** Longer lists are split into groups of this size. */
const part = 100
/** Depth that is expanded initially. */
const initialDepth = 3

type Member = [name: string, value: unknown]

/** Collapsible view of a JSON document. Collapsed parts are not rendered. */
export function JsonTree({ value }: { value: unknown }) {
  const members = membersOf(value)
  if (!members || members.length === 0) return <Leaf value={value} />
  return <Members members={members} depth={1} />
}

function Members({ members, depth }: { members: Member[]; depth: number }) {
  return (
    <ul className={classes.members}>
      {inParts(members).map(([name, value]) => (
        <li key={name}>
          <Node name={name} value={value} depth={depth} />
        </li>
      ))}
    </ul>
  )
}

function Node({ name, value, depth }: { name: string; value: unknown; depth: number }) {
  const members = membersOf(value)
  const [isOpen, open] = useState(depth < initialDepth && !(value instanceof Part))
  if (!members || members.length === 0) {
    return (
      <span className={classes.leaf}>
        <span className={classes.name}>{name}</span> <Leaf value={value} />
      </span>
    )
  }
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <>
      <button type="button" className={classes.fold} aria-expanded={isOpen} onClick={() => open(!isOpen)}>
        <Chevron size={14} stroke={1.5} aria-hidden />
        <span className={classes.name}>{name}</span>
        <span className={classes.size}>{counted(members.length, Array.isArray(value) ? 'item' : 'field')}</span>
      </button>
      {isOpen && <Members members={members} depth={depth + 1} />}
    </>
  )
}

function Leaf({ value }: { value: unknown }) {
  return (
    <span className={classes.value} data-kind={value === null ? 'null' : typeof value}>
      {JSON.stringify(value) ?? 'null'}
    </span>
  )
}

/** Part of a list that is too long to be shown at once. */
class Part {
  readonly members: Member[]
  constructor(members: Member[]) {
    this.members = members
  }
}

function membersOf(value: unknown): Member[] | undefined {
  if (value instanceof Part) return value.members
  return typeof value === 'object' && value !== null ? Object.entries(value) : undefined
}

function inParts(members: Member[]): Member[] {
  if (members.length <= part) return members
  return Array.from({ length: Math.ceil(members.length / part) }, (_, index) => {
    const some = members.slice(index * part, (index + 1) * part)
    return [`${some[0]?.[0]} … ${some.at(-1)?.[0]}`, new Part(some)]
  })
}
