import { ActionIcon, Button, Input, NumberInput, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useEffect, useRef, type ReactNode } from 'react'
import classes from './PriceBooks.module.css'

/** Form of a storage class's price. */
export type ClassPriceFields = { storageClass: string; price: number | string }

type ClassPricesInputProps = {
  /** In table rows the label is visually hidden. */
  label?: string
  'aria-label'?: string
  value: ClassPriceFields[]
  onChange: (value: ClassPriceFields[]) => void
  error?: ReactNode
}

/** Prices of storage classes, one per line. */
export function ClassPricesInput({ label, value, onChange, error, ...props }: ClassPricesInputProps) {
  const name = label ?? props['aria-label'] ?? ''
  const list = useFocusOfNew(value.length)
  const change = (place: number, changed: Partial<ClassPriceFields>) =>
    onChange(value.map((each, i) => (i === place ? { ...each, ...changed } : each)))
  return (
    <Input.Wrapper label={label} error={error} labelElement="div">
      <fieldset className="stack start shrink gap-4" aria-label={name} ref={list}>
        {value.map(({ storageClass, price }, place) => (
          // Lines have no id other than their index.
          <div key={place} className={classes.classPrice}>
            <TextInput
              aria-label={`${name}: class ${place + 1}`}
              placeholder="GLACIER"
              autoComplete="off"
              value={storageClass}
              onChange={({ currentTarget }) => change(place, { storageClass: currentTarget.value })}
            />
            <NumberInput
              aria-label={`${name}: price ${place + 1}`}
              placeholder="GB/Year"
              inputMode="decimal"
              step={0.1}
              value={price}
              onChange={(price) => change(place, { price })}
            />
            <ActionIcon
              aria-label={`Remove class ${place + 1} of ${name}`}
              title="Remove"
              onClick={() => onChange(value.filter((_, i) => i !== place))}
            >
              <IconX size={16} stroke={1.5} />
            </ActionIcon>
          </div>
        ))}
        <Button
          variant="default"
          leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
          onClick={() => onChange([...value, { storageClass: '', price: '' }])}
        >
          Add storage class
        </Button>
      </fieldset>
    </Input.Wrapper>
  )
}

/** Focuses an added line; after removing one, the button. */
function useFocusOfNew(lines: number) {
  const list = useRef<HTMLFieldSetElement>(null)
  const before = useRef(lines)
  useEffect(() => {
    const inputs = list.current?.querySelectorAll('input') ?? []
    if (lines > before.current) inputs[inputs.length - 2]?.focus()
    if (lines < before.current) list.current?.querySelector<HTMLElement>(':scope > button')?.focus()
    before.current = lines
  }, [lines])
  return list
}
