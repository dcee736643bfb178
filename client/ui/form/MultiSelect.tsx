import { Button, Checkbox, Popover } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import classes from './MultiSelect.module.css'

type MultiSelectProps<V extends string> = {
  /** Such as "Filter jobs by type". */
  label: string
  /** Label of the checkbox that selects all. */
  allLabel: string
  options: { value: V; label: string }[]
  chosen: readonly V[]
  onChange: (chosen: V[]) => void
}

/** Checkbox list in a dropdown, with a checkbox for all. */
export function MultiSelect<V extends string>({ label, allLabel, options, chosen, onChange }: MultiSelectProps<V>) {
  const count = options.filter(({ value }) => chosen.includes(value)).length
  const isAll = count === options.length
  const tick = (value: V, isTicked: boolean) =>
    onChange(options.map(({ value }) => value).filter((one) => (one === value ? isTicked : chosen.includes(one))))
  return (
    <Popover position="bottom-start" width={320} trapFocus>
      <Popover.Target>
        <Button variant="default" rightSection={<IconChevronDown size={16} stroke={1.5} aria-hidden />}>
          {label}
          {!isAll && <span className={classes.count}>{`${count} of ${options.length}`}</span>}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={label}>
        <div className={classes.all}>
          <Checkbox
            label={allLabel}
            checked={isAll}
            indeterminate={count > 0 && !isAll}
            onChange={({ currentTarget }) => onChange(currentTarget.checked ? options.map(({ value }) => value) : [])}
          />
        </div>
        <ul className={classes.options}>
          {options.map(({ value, label }) => (
            <li key={value}>
              <Checkbox
                label={label}
                checked={chosen.includes(value)}
                onChange={({ currentTarget }) => tick(value, currentTarget.checked)}
              />
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  )
}
