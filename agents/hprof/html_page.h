/* html_page.h: html_page.html as bytes, made by html_page.py: before and after the place for the data. */
#ifndef HPROF_HTML_PAGE_H
#define HPROF_HTML_PAGE_H

#include <stddef.h>

extern const unsigned char html_page_head[], html_page_tail[];
extern const size_t html_page_head_size, html_page_tail_size;

#endif
