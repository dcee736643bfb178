import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { DragEvent } from 'react'
import { ConditionEditor } from './ConditionEditor.tsx'
import { maxGroupDepth, type Group, newCondition, newGroup } from '#events/search/string-format/conditions.ts'
import { Segments } from '#client/ui/form/Segments.tsx'
import { Grip } from './Grip.tsx'
import { changedGroup, type DropTarget } from './moves.ts'
import classes from './QueryBuilder.module.css'
import type { Builder } from './useBuilder.ts'

const operators: { value: Group['operator']; label: string }[] = [
  { value: 'AND', label: 'AND' },
  { value: 'OR', label: 'OR' },
]

type GroupEditorProps = {
  group: Group
  /** 1 for the outermost group. */
  depth: number
  builder: Builder
}

/** A group of conditions with AND or OR, and nested groups. */
export function GroupEditor({ group, depth, builder }: GroupEditorProps) {
  const { id, operator, conditions, groups } = group
  const set = (change: Partial<Group>, isUnfinished = false) =>
    builder.edit(changedGroup(builder.group, id, change), { isUnfinished })
  return (
    <fieldset className={classes.group} data-item={id} aria-label={`Group, level ${depth}`}>
      <div className="row wrap gap-8" {...dropZone(builder, id, 'head')}>
        {depth > 1 && <Grip builder={builder} id={id} name={`the group, level ${depth}`} />}
        <Segments
          label={`Operator of the conditions at level ${depth}`}
          options={operators}
          chosen={operator}
          onChoose={(operator) => set({ operator })}
        />
        {depth > 1 && (
          <ActionIcon variant="subtle" aria-label="Remove this group" onClick={() => builder.remove(id)}>
            <IconX size={16} stroke={1.5} />
          </ActionIcon>
        )}
      </div>
      {conditions.map((condition, at) => (
        <div key={condition.id} data-item={condition.id} {...dropZone(builder, id, at)}>
          <ConditionEditor condition={condition} builder={builder} />
        </div>
      ))}
      {groups.map((inner) => (
        <GroupEditor key={inner.id} group={inner} depth={depth + 1} builder={builder} />
      ))}
      <div className="row wrap gap-8" {...dropZone(builder, id, 'foot')}>
        <Add isFirst onAdd={() => set({ conditions: [...conditions, newCondition()] }, true)}>
          Add condition
        </Add>
        {depth < maxGroupDepth && (
          <Add onAdd={() => set({ groups: [...groups, newGroup(operator === 'AND' ? 'OR' : 'AND')] }, true)}>
            Add group
          </Add>
        )}
      </div>
    </fieldset>
  )
}

/** Handlers and attributes of a drop target. */
function dropZone({ under, dragOver, drop }: Builder, groupId: number, part: DropTarget['part']) {
  const targetOf = ({ currentTarget, clientY }: DragEvent<HTMLElement>): DropTarget => {
    const { top, height } = currentTarget.getBoundingClientRect()
    return { groupId, part, isLower: clientY > top + height / 2 }
  }
  const isUnder = under?.groupId === groupId && under.part === part
  return {
    'data-drop': isUnder ? (typeof part === 'number' && under.isLower ? 'after' : 'before') : undefined,
    onDragOver: (event: DragEvent<HTMLElement>) => dragOver(targetOf(event)) && event.preventDefault(),
    onDrop: (event: DragEvent<HTMLElement>) => {
      event.preventDefault()
      drop(targetOf(event))
    },
  }
}

function Add({ onAdd, isFirst, children }: { onAdd: () => void; isFirst?: boolean; children: string }) {
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      data-add={isFirst}
      leftSection={<IconPlus size={14} stroke={1.5} aria-hidden />}
      onClick={onAdd}
    >
      {children}
    </Button>
  )
}
