package userdata
