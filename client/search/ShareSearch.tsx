import { Button } from '@mantine/core'
import { IconShare2 } from '@tabler/icons-react'
import { useState } from 'react'
import { useLinks } from '../app/links.ts'
import { Copied } from '../ui/Copied.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import type { SearchAddress } from './searchAddress.ts'

/** The question as others can be sent it: what is asked, without the page that one is on. */
export function ShareSearch({ address }: { address: SearchAddress }) {
  const links = useLinks()
  const [opened, open] = useState(false)
  const { criteria, words } = address
  const { search = [], ...filters } = words
  const asked = criteria === undefined ? { search: search.length > 0 ? search : '', ...filters } : { criteria }
  return (
    <>
      <Button variant="default" leftSection={<IconShare2 size={16} stroke={1.5} />} onClick={() => open(true)}>
        Share
      </Button>
      <Dialog opened={opened} title="Share this search" size="M" onClose={() => open(false)}>
        <Copied label="URL" text={`${location.origin}${links.search(asked)}`} isFirst />
      </Dialog>
    </>
  )
}
