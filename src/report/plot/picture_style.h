/* The style of pictures, picture.css, compiled in. */
#ifndef GRAYLING_PICTURE_STYLE_H
#define GRAYLING_PICTURE_STYLE_H

extern const char picture_style[];

#endif
