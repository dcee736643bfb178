import { Button } from '@mantine/core'
import { IconBinaryTree } from '@tabler/icons-react'
import type { SearchAddress } from '../searchAddress.ts'
import type { GoSearch } from '../useSearchAddress.ts'
import { criteriaOfFilters } from './criteriaOfFilters.ts'

/** Between the filters and conditions of any arrangement; the conditions begin with what the filters ask. */
export function AdvancedSwitch({ address, go }: { address: SearchAddress; go: GoSearch }) {
  const isOn = address.criteria !== undefined
  return (
    <Button
      variant={isOn ? 'light' : 'default'}
      aria-pressed={isOn}
      leftSection={<IconBinaryTree size={16} stroke={1.5} />}
      onClick={() => go({ criteria: isOn ? undefined : criteriaOfFilters(address.filters) })}
    >
      Advanced
    </Button>
  )
}
