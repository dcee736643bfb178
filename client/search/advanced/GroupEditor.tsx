import { ActionIcon, Button, SegmentedControl } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { deepestNesting } from '#events/criteria.ts'
import type { Volume } from '#events/snapshots.ts'
import { ConditionEditor } from './ConditionEditor.tsx'
import { type Condition, type Group, newCondition, newGroup } from './draft.ts'
import classes from './Advanced.module.css'

type GroupEditorProps = {
  group: Group
  /** 1 for the outermost. */
  depth: number
  volumes: readonly Volume[]
  onChange: (group: Group, isTyped: boolean) => void
  onRemove?: () => void
}

/** What the search puts around the conditions takes one level of the nesting. */
const deepest = deepestNesting - 1

/** A group of conditions, of which all or any must hold, with the groups in it. */
export function GroupEditor({ group, depth, volumes, onChange, onRemove }: GroupEditorProps) {
  const { operator, conditions, groups } = group
  const set = (change: Partial<Group>, isTyped = false) => onChange({ ...group, ...change }, isTyped)
  return (
    <fieldset className={classes.group} aria-label={`Group, level ${depth}`}>
      <div className={classes.head}>
        <SegmentedControl
          size="xs"
          aria-label={`How the conditions of level ${depth} are joined`}
          data={['AND', 'OR']}
          value={operator}
          onChange={(operator) => set({ operator: operator as Group['operator'] })}
        />
        {onRemove && (
          <ActionIcon variant="subtle" aria-label="Remove this group" onClick={onRemove}>
            <IconX size={16} stroke={1.5} />
          </ActionIcon>
        )}
      </div>
      {conditions.map((condition, at) => (
        <ConditionEditor
          key={condition.id}
          condition={condition}
          volumes={volumes}
          onChange={(changed: Condition, isTyped) => set({ conditions: conditions.with(at, changed) }, isTyped)}
          onRemove={() => set({ conditions: conditions.toSpliced(at, 1) })}
        />
      ))}
      {groups.map((inner, at) => (
        <GroupEditor
          key={inner.id}
          group={inner}
          depth={depth + 1}
          volumes={volumes}
          onChange={(changed, isTyped) => set({ groups: groups.with(at, changed) }, isTyped)}
          onRemove={() => set({ groups: groups.toSpliced(at, 1) })}
        />
      ))}
      <div className={classes.head}>
        <Add onAdd={() => set({ conditions: [...conditions, newCondition()] }, true)}>Add condition</Add>
        {depth < deepest && (
          <Add onAdd={() => set({ groups: [...groups, newGroup(operator === 'AND' ? 'OR' : 'AND')] }, true)}>
            Add group
          </Add>
        )}
      </div>
    </fieldset>
  )
}

function Add({ onAdd, children }: { onAdd: () => void; children: string }) {
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<IconPlus size={14} stroke={1.5} aria-hidden />}
      onClick={onAdd}
    >
      {children}
    </Button>
  )
}
