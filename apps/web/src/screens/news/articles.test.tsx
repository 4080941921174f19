import { describe, expect, it } from 'vitest'
import { articleIdOf, articleLink } from '#src/screens/news/articles.ts'

describe('the article of an address', () => {
  it('is the one whose id the address contains', () => {
    expect(articleIdOf(articleLink(12))).toBe(12)
  })

  it('is written only with its id', () => {
    expect(articleLink(12)).toBe('{"id":12}')
  })

  it.each([
    ['a whole article', '{"id":7,"title":"Hello","content":"<img src=x onerror=alert(1)>"}', 7],
    ['an article whose id is text', '{"id":"7","title":"Hello"}', 7],
    ['a bare id', '7', 7],
    ['the greatest id', '{"id":2147483647}', 2_147_483_647],
  ])('is read from %s', (_name, news, id) => {
    expect(articleIdOf(news)).toBe(id)
  })

  it.each([
    ['nothing', undefined],
    ['empty text', ''],
    ['broken JSON', '{"id":7'],
    ['a title alone', '{"title":"Hello"}'],
    ['nothing in JSON', 'null'],
    ['a list', '[7]'],
    ['an object for an id', '{"id":{"id":7}}'],
    ['zero', '{"id":0}'],
    ['a negative id', '{"id":-7}'],
    ['a fraction', '{"id":7.5}'],
    ['more than the database counts', '{"id":2147483648}'],
    ['a number beyond all numbers', '{"id":1e999}'],
    ['something that only begins with digits', '{"id":"7 or 1=1"}'],
  ])('is none for %s', (_name, news) => {
    expect(articleIdOf(news)).toBeNull()
  })
})
