import { join } from 'node:path'
import { testCatalogs } from '@sum28/ui/testing/catalogs.tests.ts'

testCatalogs({
  folder: import.meta.dirname,
  areas: ['ui'],
  sources: [join(import.meta.dirname, '..')],
  sameAsEnglish: {
    '* action.ok': 'the same word in many languages',
  },
})
